import { signal } from '@preact/signals';

interface Battery extends EventTarget {
  readonly level: number;
  readonly charging: boolean;
}

/** Charge in percent; null where the browser does not tell. */
export const battery = signal<{ readonly percent: number; readonly charging: boolean } | null>(null);

/** Below this charge the app shows a word. */
export const lowBattery = 20;

/** Follows the battery, where the browser tells it. */
export async function watchBattery(): Promise<void> {
  const { getBattery } = navigator as { getBattery?: () => Promise<Battery> };
  if (!getBattery) return;
  try {
    const source = await getBattery.call(navigator);
    const read = (): void => {
      battery.value = { percent: Math.round(source.level * 100), charging: source.charging };
    };
    source.addEventListener('levelchange', read);
    source.addEventListener('chargingchange', read);
    read();
  } catch {
    // The word then does not appear.
  }
}
