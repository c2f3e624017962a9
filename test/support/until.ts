/**
 * Waits until a value satisfies a condition, for what happens in the background.
 * @returns that value. Throws with the last value after the time limit.
 */
export async function until<Value>(
  look: () => Promise<Value> | Value,
  is: (value: Value) => boolean,
  milliseconds = 50_000,
): Promise<Value> {
  for (const end = Date.now() + milliseconds; ;) {
    const value = await look();
    if (is(value)) return value;
    if (Date.now() > end) throw new Error(`Still ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
