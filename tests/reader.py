"""A parser of response pages, and a browser without scripts: links, forms, messages and their places."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponseBase
from django.test import Client

VOID = {"br", "hr", "img", "input", "link", "meta", "source", "wbr"}
FIELDS = ("input", "select", "textarea")


class Node:
    """An HTML element with its tag, attributes and children, which are elements and texts."""

    def __init__(self, tag: str, attrs: dict[str, str], parent: Node | None = None) -> None:
        self.tag = tag
        self.attrs = attrs
        self.parent = parent
        self.inside: list[Node | str] = []

    @property
    def text(self) -> str:
        """The text inside, with whitespace collapsed and word joiners removed."""
        return " ".join("".join(self._texts()).replace("\u2060", "").split())

    def _texts(self) -> Iterator[str]:
        for part in self.inside:
            if isinstance(part, str):
                yield part
            elif part.tag == "bdi":  # part of a word, without a space
                yield from part._texts()
            elif part.tag != "wbr":  # a place where a line may break, without a space
                yield f" {''.join(part._texts())} "

    def every(self, *tags: str, **attrs: str) -> list[Node]:
        """Return the elements inside with one of these tags (or any) and all these attributes, in order."""
        required = {name.rstrip("_").replace("_", "-"): value for name, value in attrs.items()}.items()
        tagged = [node for node in self._nodes if node.tag in tags] if tags else self._nodes
        return [node for node in tagged if required <= node.attrs.items()]

    def only(self, *tags: str, **attrs: str) -> Node:
        """Return the only element that matches. Assert that there is exactly one."""
        matches = self.every(*tags, **attrs)
        assert 1 == len(matches), f"{len(matches)} of {tags} {attrs}"
        return matches[0]

    @cached_property
    def _nodes(self) -> list[Node]:
        children = [part for part in self.inside if isinstance(part, Node)]
        return [node for child in children for node in (child, *child._nodes)]

    # --- what a refusal says ------------------------------------------------------------------------------------------

    def said_at(self, field: str) -> str:
        """Return the error message of this field, or ""."""
        for node in self.every():
            names = {
                node.attrs.get("name"),
                *(field_node.attrs.get("name") for field_node in node.every(*FIELDS)),
            }
            errors = [
                name for name in node.attrs.get("aria-describedby", "").split() if name.endswith("error")
            ]
            if errors and field in names:
                return self.only(id=errors[0]).text
        return ""

    @property
    def alerts(self) -> list[str]:
        """The error messages that belong to no field."""
        return [
            item.text for box in self.every(role="alert") for item in box.every("li") or [box] if item.text
        ]

    @property
    def last(self) -> list[str]:
        """The sentence about the latest entry, beside the button that undoes it. Empty if there is none."""
        return [node.text for node in self.every("span", class_="latest")]

    @property
    def notices(self) -> list[str]:
        """The status messages: what happened meanwhile or was just done."""
        boxes = self.every(data_says="")
        return [part.text for box in boxes for part in box.every("li", "span") or [box] if part.text]

    def typed(self, field: str) -> str:
        """Return the present value of this field, or "" if no option is chosen."""
        form = next(
            form
            for form in self.every("form")
            if any(f.attrs.get("name") == field for f in form.every(*FIELDS))
        )
        return form.fields.get(field, "")

    # --- forms and links ----------------------------------------------------------------------------------------------

    @property
    def fields(self) -> dict[str, str]:
        """The values that the form sends if no named button is pressed, by field name."""
        values: dict[str, str] = {}
        for node in self.every(*FIELDS):
            name, kind = node.attrs.get("name", ""), node.attrs.get("type", "text")
            if not name or "disabled" in node.attrs:
                continue
            if node.tag == "select":
                options = node.every("option")
                chosen = [option for option in options if "selected" in option.attrs] or options[:1]
                values[name] = chosen[0].attrs.get("value", chosen[0].text)
            elif node.tag == "textarea":
                values[name] = node.text
            elif kind not in ("radio", "checkbox") or "checked" in node.attrs:
                values[name] = node.attrs.get("value", "on" if kind == "checkbox" else "")
        return values

    def allowed(self, name: str) -> list[str] | None:
        """Return the values that a choice offers, or None if the field is free text."""
        nodes = [node for node in self.every(*FIELDS) if node.attrs.get("name") == name]
        assert nodes, f"the form has no field {name}"
        if nodes[0].tag == "select":
            return [option.attrs["value"] for option in nodes[0].every("option")]
        if nodes[0].attrs.get("type") in ("radio", "checkbox"):
            return [node.attrs.get("value", "on") for node in nodes]
        assert nodes[0].attrs.get("type") != "hidden", f"{name} is nothing to fill in"
        return None

    @property
    def buttons(self) -> list[Node]:
        """The form's submit buttons in order. Enter presses the first."""
        return [node for node in self.every("button") if node.attrs.get("type", "submit") == "submit"]

    def form_with(self, button: str) -> tuple[Node, Node]:
        """Return the form that has a button with this text or label, and the button."""
        for form in self.every("form"):
            for button_node in form.buttons:
                if button in (button_node.text, button_node.attrs.get("aria-label")):
                    return form, button_node
        raise AssertionError(f"no button {button!r}: {[node.text for node in self.every('button')]}")

    def link(self, text: str) -> str:
        """Return the address of the link with this text or label."""
        for node in self.every("a"):
            if text in (node.text, node.attrs.get("aria-label")):
                return node.attrs["href"]
        raise AssertionError(f"no link {text!r}: {[node.text for node in self.every('a')]}")


class _PageParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.current = Node("", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs}, self.current)
        self.current.inside.append(node)
        if tag not in VOID:
            self.current = node

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.current.tag, f"</{tag}> closes <{self.current.tag}>"
        assert self.current.parent is not None
        self.current = self.current.parent
        if tag == "template":
            self.current.inside.pop()  # not on the page until a script inserts it

    def handle_data(self, data: str) -> None:
        self.current.inside.append(data)


def read_html(text: str) -> Node:
    """Parse the HTML of a page or a part of one. Fail if a tag is not closed in its place."""
    reader = _PageParser()
    reader.feed(text)
    reader.close()
    assert reader.current is reader.root, f"<{reader.current.tag}> is not closed"
    return reader.root


def read_page(response: HttpResponseBase) -> Node:
    return read_html(response.getvalue().decode())


def parse_whole_number(text: str) -> int:
    """Return the whole number in an amount: `−$1,200` is -1200."""
    figure = int("".join(letter for letter in text if letter.isascii() and letter.isdigit()))
    return -figure if "−" in text else figure


class Walker:
    """A browser that follows links and submits forms. A test gives it only the first address.

    With `follows=False` it does not follow redirects; `address` then holds the target of the last one.
    """

    def __init__(self, client: Client, *, follows: bool = True) -> None:
        self.client = client
        self.follows = follows
        self.address = ""
        self.status = 0
        self.page = Node("", {})

    def open(self, address: str) -> Node:
        """Open an address and return the page after all redirects."""
        return self._arrive(address, self.client.get(address, follow=self.follows))

    def follow(self, text: str) -> Node:
        """Follow the link with this text or label and return the page."""
        return self.open(self.page.link(text))

    def press(self, button: str, **values: str) -> Node:
        """Fill in the form with this button, press it and return the page. A `_` in a field name means `-`."""
        return self.send(button, fields(**values))

    def send(self, button: str, values: Mapping[str, str | list[str]]) -> Node:
        """Fill in these fields of the form with this button, press it and return the page.

        A list is the values of the boxes of a field that are checked.
        """
        form, pressed = self.page.form_with(button)
        data: dict[str, str | list[str]] = {**form.fields}
        for field, value in values.items():
            allowed = form.allowed(field)
            chosen = value if isinstance(value, list) else [value]
            assert allowed is None or set(chosen) <= set(allowed), f"{field} offers {allowed}"
            data[field] = value
        if pressed.attrs.get("name"):
            data[pressed.attrs["name"]] = pressed.attrs.get("value", "")
        address = form.attrs.get("action") or self.address
        if form.attrs.get("method") == "get":
            return self._arrive(address, self.client.get(address, data, follow=self.follows))
        return self._arrive(address, self.client.post(address, data, follow=self.follows))

    def _arrive(self, address: str, response: HttpResponseBase) -> Node:
        chain = getattr(response, "redirect_chain", ())
        led = response.headers.get("Location", address)
        self.address = chain[-1][0] if chain else led
        self.status = response.status_code
        self.page = read_page(response)
        return self.page


def fields(**values: object) -> dict[str, str]:
    """Return fields to post. A `_` in a name means `-`: `hand_ana` is the field `hand-ana`."""
    return {name.replace("_", "-"): str(value) for name, value in values.items()}


def open_page(client: Client, address: str, query: Mapping[str, str] | None = None) -> Node:
    """Return the page at this address. Assert that the status is 200."""
    response = client.get(address, query)
    assert 200 == response.status_code
    return read_page(response)


class PollingClient:
    """A phone that shows a page and polls for news as `live.js` does."""

    def __init__(self, client: Client, address: str) -> None:
        self.client = client
        news = open_page(client, address).only(id="news").attrs
        self.live, self.ticket = news["data-live"], news["data-ticket"]

    def poll(self) -> HttpResponseBase:
        """Poll once and return the response, whose headers say how to poll next."""
        response = self.client.get(self.live, headers={"X-Ticket": self.ticket})
        self.live = response.headers.get("X-Live", self.live)
        self.ticket = response.headers.get("X-Ticket", self.ticket)
        return response

    def poll_status(self) -> int:
        return self.poll().status_code


def picture_data(page: Node) -> Any:
    (button,) = (button for button in page.every("button") if "data-drawn" in button.attrs)
    return json.loads(button.attrs["data-drawn"].replace(r"\u00a0", " "))


def debt_rows(page: Node, part: str = "debts") -> list[str]:
    """Return the debts in this part of a page, such as `Beto → Ana $200`, with a ✓ if paid."""
    rows = [row for row in page.only(id=part).every("div") if row.attrs.get("id", "").startswith("debt-")]
    return [
        ("✓ " if "done" in row.attrs["class"] else "")
        + f"{row.only('span', class_='pair').text} {row.only('span', class_='figure').text}"
        for row in rows
    ]


def change_lines(page: Node) -> list[str]:
    """Return the previewed consequences of a correction, line by line."""
    return [item.text for item in page.only("ul", id="what-changes").every("li")]
