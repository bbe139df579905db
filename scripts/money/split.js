// Splits an amount by shares, like the server does it (expense_shares in games/scoring/shares.py).

export const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

// An amount may be too large to be multiplied exactly as a number.
const portion = (amount, share, all) => Number((BigInt(amount) * BigInt(share)) / BigInt(all));

// Returns what each bears by their id, without those who have no share. `people` are all ids in the order of
// joining; `paid` and `shares` are numbers by id. Nobody gets an odd coin until somebody has paid.
export function split(amount, paid, shares, people) {
  const most = Math.max(...paid.values());
  const after = people.findIndex((id) => paid.get(id) === most) + 1;
  const turns = [...people.slice(after), ...people.slice(0, after)].filter((id) => shares.get(id));
  const order = [...turns.filter((id) => !paid.has(id)), ...turns.filter((id) => paid.has(id))];
  const all = total([...shares.values()]);
  const borne = order.map((id) => portion(amount, shares.get(id), all));
  const odd = paid.size ? amount - total(borne) : 0;
  return new Map(order.map((id, place) => [id, borne[place] + (place < odd ? 1 : 0)]));
}
