import { watchBattery } from '../device/battery-watch.js';
import { readCards } from '../device/nfc.js';
import { WakeLock } from '../device/wake-lock.js';
import type { DoorModel } from './model.js';

/**
 * What the phone does beside the screens: the screen stays on while the door is open, cards are read, the battery is watched, and a result
 * that nobody decided asks the server as soon as there is a network.
 */
export function accompany(model: DoorModel): void {
  const lock = new WakeLock();
  const isOpen = (): boolean => model.state.value.phase === 'open';
  model.state.subscribe(() => void (isOpen() ? lock.hold() : lock.release()));
  void watchBattery();
  askOnReturn(model);
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

function askOnReturn(model: DoorModel): void {
  let wasOffline = false;
  model.state.subscribe(({ network }) => {
    const isOffline = network.kind === 'offline';
    const shown = model.shown.peek();
    if (wasOffline && !isOffline && shown) void askAgain(model, shown.result.scanId).catch(() => {});
    wasOffline = isOffline;
  });
}

async function askAgain(model: DoorModel, scanId: string): Promise<void> {
  const result = await model.engine.askAgain(scanId);
  if (result) model.show(result, true);
}
