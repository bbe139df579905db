// Whether this browser is new enough to run the engine.

// Safari understands this pattern since 16.4, as the syntax of the engine.
export function canLookBehind() {
  const behind = "(?<=a)b";
  try {
    return Boolean(new RegExp(behind));
  } catch {
    return false;
  }
}
