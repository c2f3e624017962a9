/** Milliseconds after which nothing waits for the first screen any longer. */
const longest = 2000;

let settle: () => void;
const usable = new Promise<void>((done) => {
  settle = done;
});

/** The first screen is usable: what waited for it may load. */
export function firstScreenIsUsable(): void {
  settle();
}

/** Settles when the first screen is usable, with a live picture where it has one, or does not become so. */
export async function whenFirstScreenIsUsable(): Promise<void> {
  const timer = setTimeout(settle, longest);
  await usable;
  clearTimeout(timer);
}
