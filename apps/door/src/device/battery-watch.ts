import { battery } from './battery.js';

interface Battery extends EventTarget {
  readonly level: number;
  readonly charging: boolean;
}

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
