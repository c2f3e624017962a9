interface Reading extends Event {
  readonly serialNumber: string;
}

interface Reader extends EventTarget {
  scan(): Promise<void>;
}

/**
 * Reads cards with a chip where the browser can (Chrome on Android). Must be called during a tap.
 * @param onTag gets the UID of the chip, upper-case hexadecimal
 * @returns whether cards are read
 */
export async function readCards(onTag: (tag: string) => void): Promise<boolean> {
  const { NDEFReader: Kind } = globalThis as { NDEFReader?: new () => Reader };
  if (!Kind) return false;
  try {
    const reader = new Kind();
    reader.addEventListener('reading', (event) => {
      const tag = (event as Reading).serialNumber.replaceAll(':', '').toUpperCase();
      if (tag !== '') onTag(tag);
    });
    await reader.scan();
    return true;
  } catch {
    return false;
  }
}
