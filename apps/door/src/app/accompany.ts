import { watchBattery } from '../device/battery-watch.js';
import { readCards } from '../device/nfc.js';
import { WakeLock } from '../device/wake-lock.js';
import type { DoorModel } from './model.js';

/** What the phone does beside the screens: the screen stays on while the door is open, cards are read, and the battery is watched. */
export function accompany(model: DoorModel): void {
  const lock = new WakeLock();
  const isOpen = (): boolean => model.state.value.phase === 'open';
  model.state.subscribe(() => void (isOpen() ? lock.hold() : lock.release()));
  void watchBattery();
  // Cards need a tap, so the first one at an open door tries.
  const onTap = (): void => {
    if (!isOpen()) return;
    removeEventListener('pointerdown', onTap);
    void readCards((tag) => {
      if (isOpen()) void model.scan(tag, 'nfc');
    });
  };
  addEventListener('pointerdown', onTap);
}
