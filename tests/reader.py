"""Reads an answered page as somebody without scripts would: its links, its forms, what it says and where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser

from django.http import HttpResponseBase
from django.test import Client

VOID = {"br", "hr", "img", "input", "link", "meta", "source", "wbr"}
FIELDS = ("input", "select", "textarea")


class Node:
    """An element: its tag, its attributes, what is inside it."""

    def __init__(self, tag: str, attrs: dict[str, str], parent: Node | None = None) -> None:
        self.tag = tag
        self.attrs = attrs
        self.parent = parent
        self.inside: list[Node | str] = []

    @property
    def text(self) -> str:
        """What stands in it, blanks and no-break blanks made one, without the marks that hold a line together."""
        return " ".join("".join(self._texts()).replace("\u2060", "").split())

    def _texts(self) -> Iterator[str]:
        for part in self.inside:
            yield part if isinstance(part, str) else f" {''.join(part._texts())} "

    def every(self, *tags: str, **attrs: str) -> list[Node]:
        """The elements inside with one of these tags (any where none is named) and these attributes, in order."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attrs.items()}
        return [
            node
            for node in self._nodes()
            if (not tags or node.tag in tags)
            and all(value == node.attrs.get(name) for name, value in wanted.items())
        ]

    def only(self, *tags: str, **attrs: str) -> Node:
        """The one element like this."""
        found = self.every(*tags, **attrs)
        assert 1 == len(found), f"{len(found)} of {tags} {attrs}"
        return found[0]

    def _nodes(self) -> Iterator[Node]:
        for part in self.inside:
            if isinstance(part, Node):
                yield part
                yield from part._nodes()

    # --- what a refusal says ------------------------------------------------------------------------------------------

    def said_at(self, field: str) -> str:
        """The sentence that belongs to this field; "" where there is none."""
        for node in self.every():
            names = {node.attrs.get("name"), *(found.attrs.get("name") for found in node.every(*FIELDS))}
            if "aria-describedby" in node.attrs and field in names:
                return self.only(id=node.attrs["aria-describedby"]).text
        return ""

    @property
    def alerts(self) -> list[str]:
        """The sentences about the whole page."""
        return [
            item.text for box in self.every(role="alert") for item in box.every("li") or [box] if item.text
        ]

    @property
    def notices(self) -> list[str]:
        """What happened meanwhile, or has just been done."""
        boxes = self.every(role="status")
        return [part.text for box in boxes for part in box.every("li", "span") or [box] if part.text]

    def typed(self, field: str) -> str:
        """What stands in this field now; "" where nothing is chosen."""
        form = next(
            form
            for form in self.every("form")
            if any(f.attrs.get("name") == field for f in form.every(*FIELDS))
        )
        return form.fields.get(field, "")

    # --- forms and links ----------------------------------------------------------------------------------------------

    @property
    def fields(self) -> dict[str, str]:
        """The fields of a form as they would be sent without pressing any button of a name."""
        found: dict[str, str] = {}
        for node in self.every(*FIELDS):
            name, kind = node.attrs.get("name", ""), node.attrs.get("type", "text")
            if not name or "disabled" in node.attrs:
                continue
            if node.tag == "select":
                options = node.every("option")
                chosen = [option for option in options if "selected" in option.attrs] or options[:1]
                found[name] = chosen[0].attrs.get("value", chosen[0].text)
            elif node.tag == "textarea":
                found[name] = node.text
            elif kind not in ("radio", "checkbox") or "checked" in node.attrs:
                found[name] = node.attrs.get("value", "")
        return found

    def allowed(self, name: str) -> list[str] | None:
        """The values a choice offers; None where anything may be typed."""
        nodes = [node for node in self.every(*FIELDS) if node.attrs.get("name") == name]
        assert nodes, f"the form has no field {name}"
        if nodes[0].tag == "select":
            return [option.attrs["value"] for option in nodes[0].every("option")]
        if nodes[0].attrs.get("type") in ("radio", "checkbox"):
            return [node.attrs["value"] for node in nodes]
        assert nodes[0].attrs.get("type") != "hidden", f"{name} is nothing to fill in"
        return None

    @property
    def buttons(self) -> list[Node]:
        """What sends this form, in order: Enter presses the first."""
        return [node for node in self.every("button") if node.attrs.get("type", "submit") == "submit"]

    def form_with(self, button: str) -> tuple[Node, Node]:
        """The form that has this button, by its text or label, and the button."""
        for form in self.every("form"):
            for found in form.buttons:
                if button in (found.text, found.attrs.get("aria-label")):
                    return form, found
        raise AssertionError(f"no button {button!r}: {[node.text for node in self.every('button')]}")

    def link(self, text: str) -> str:
        """Where the link of this text or label leads."""
        for node in self.every("a"):
            if text in (node.text, node.attrs.get("aria-label")):
                return node.attrs["href"]
        raise AssertionError(f"no link {text!r}: {[node.text for node in self.every('a')]}")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.here = Node("", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs}, self.here)
        self.here.inside.append(node)
        if tag not in VOID:
            self.here = node

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.here.tag, f"</{tag}> closes <{self.here.tag}>"
        assert self.here.parent is not None
        self.here = self.here.parent
        if tag == "template":
            self.here.inside.pop()  # not on the page until a script puts it there

    def handle_data(self, data: str) -> None:
        self.here.inside.append(data)


def read_html(text: str) -> Node:
    """The elements of a page or a part of one; every tag must be closed in its place."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.here is reader.root, f"<{reader.here.tag}> is not closed"
    return reader.root


def read_page(response: HttpResponseBase) -> Node:
    """The answered page."""
    return read_html(response.getvalue().decode())


class Walker:
    """Somebody who follows links and sends forms, and knows no address but the first.

    One who does not follow stands before the page a form leads to: `address` says where that is.
    """

    def __init__(self, client: Client, *, follows: bool = True) -> None:
        self.client = client
        self.follows = follows
        self.address = ""
        self.status = 0
        self.page = Node("", {})

    def open(self, address: str) -> Node:
        """The page at an address, after all redirects."""
        return self._arrive(address, self.client.get(address, follow=self.follows))

    def follow(self, text: str) -> Node:
        """The page behind the link of this text or label."""
        return self.open(self.page.link(text))

    def press(self, button: str, **typed: str) -> Node:
        """The page after filling in the form of this button and pressing it; `_` in a name is typed for `-`."""
        return self.send(button, fields(**typed))

    def send(self, button: str, typed: Mapping[str, str]) -> Node:
        """The page after filling in these fields of the form of this button and pressing it."""
        form, pressed = self.page.form_with(button)
        sent = form.fields
        for field, value in typed.items():
            allowed = form.allowed(field)
            assert allowed is None or value in allowed, f"{field} offers {allowed}"
            sent[field] = value
        if pressed.attrs.get("name"):
            sent[pressed.attrs["name"]] = pressed.attrs.get("value", "")
        address = form.attrs.get("action") or self.address
        if form.attrs.get("method") == "get":
            return self._arrive(address, self.client.get(address, sent, follow=self.follows))
        return self._arrive(address, self.client.post(address, sent, follow=self.follows))

    def _arrive(self, address: str, response: HttpResponseBase) -> Node:
        chain = getattr(response, "redirect_chain", ())
        led = response.headers.get("Location", address)
        self.address = chain[-1][0] if chain else led
        self.status = response.status_code
        self.page = read_page(response)
        return self.page


def fields(**typed: object) -> dict[str, str]:
    """Fields to post, a `_` in a name being a `-`: `hand_ana` is the field `hand-ana`."""
    return {name.replace("_", "-"): str(value) for name, value in typed.items()}
