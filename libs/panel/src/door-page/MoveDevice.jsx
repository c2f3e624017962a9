import React, { useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';

const api = new ApiClient();

/** Sends a device to another gate of the event; its app follows at its next contact. */
export function MoveDevice({ device, gates, reload }) {
  const { tb, tc } = useTranslation();
  const notify = useNotice();
  const [open, setOpen] = useState(false);
  const [gate, setGate] = useState('');
  const field = `move-${device.id}`;
  const show = () => {
    setGate(gates.find(({ id }) => id !== device.gate)?.id ?? '');
    setOpen(true);
  };
  const move = async (event) => {
    event.preventDefault();
    try {
      const { data } = await api.recordAction({ resourceId: 'devices', recordId: device.id, actionName: 'move', data: { gateId: gate } });
      const [fault] = Object.values(data.record?.errors ?? {});
      if (fault) notify({ message: fault.message, type: 'error', resourceId: 'devices' });
      else if (data.notice) notify({ ...data.notice, resourceId: 'devices' });
      if (!fault && data.notice?.type !== 'error') setOpen(false);
      await reload();
    } catch {
      notify({ message: 'failed', type: 'error' });
    }
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
