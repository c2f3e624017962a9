import { useState, type FormEvent } from 'react';
import { useNotice, useTranslation } from 'adminjs';
import { faultsIn, isRefused, useSend } from '#panel-kit/components/page/view.js';
import type { BoardDevice, KnownGate } from './board.js';

/** Sends a device to another gate of the event; its app follows at its next contact. */
export function MoveDevice({
  device,
  gates,
  reload,
}: {
  readonly device: BoardDevice;
  readonly gates: readonly KnownGate[];
  readonly reload: () => Promise<void>;
}) {
  const { tb, tc } = useTranslation();
  const notify = useNotice();
  const { send } = useSend('devices', false);
  const [open, setOpen] = useState(false);
  const [gate, setGate] = useState('');
  const field = `move-${device.id}`;
  const show = (): void => {
    setGate(gates.find(({ id }) => id !== device.gate)?.id ?? '');
    setOpen(true);
  };
  const move = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const answer = await send({ resourceId: 'devices', recordId: device.id, actionName: 'move' }, { gateId: gate });
    if (!answer) return;
    const [fault] = Object.values(faultsIn(answer));
    if (fault !== undefined) notify({ message: fault, type: 'error', resourceId: 'devices' });
    if (!isRefused(answer)) setOpen(false);
    await reload();
  };
  if (!open) {
    return (
      <button type="button" className="gt-button gt-button-quiet gt-button-small" onClick={show}>
        {tc('DoorDevices.move')} <span className="gt-unseen">{device.name}</span>
      </button>
    );
  }
  return (
    <form className="gt-move" onSubmit={(event) => void move(event)}>
      <label htmlFor={field}>{tc('DoorDevices.moveTo')}</label>
      <select id={field} value={gate} autoFocus onChange={({ target }) => setGate(target.value)}>
        {gates.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit" className="gt-button gt-button-small">
        {tc('DoorDevices.move')}
      </button>
      <button type="button" className="gt-button gt-button-quiet gt-button-small" onClick={() => setOpen(false)}>
        {tb('cancel')}
      </button>
    </form>
  );
}
