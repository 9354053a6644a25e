/** The option whose condition holds; a question without one right option stops the build. */
export function rightOption(...conditions: boolean[]): number {
  const right = conditions.indexOf(true);
  if (right < 0 || right !== conditions.lastIndexOf(true)) {
    throw new Error(`exactly one option must hold, got ${conditions.join(', ')}`);
  }
  return right;
}
