/**
 * Waits until something holds, for what an engine does in the background.
 * @param tries looks, 10 ms apart @throws Error that names the condition when it does not hold after them
 */
export async function until(holds: () => boolean, tries = 1000): Promise<void> {
  for (let look = 0; !holds(); look += 1) {
    if (look > tries) throw new Error(`It did not happen: ${holds.toString()}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}
