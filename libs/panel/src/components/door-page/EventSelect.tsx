import { useTranslation } from 'adminjs';
import { useLocation, useNavigate } from 'react-router';
import { FormField } from '#panel-kit/components/forms/FormField.js';
import { briefly } from '#panel-kit/components/shared/times.js';
import type { DoorView } from '../../door-page/door.page.js';

/** Chooses the event of a page by its address. */
export function EventSelect({ events, eventId }: Pick<DoorView, 'events' | 'eventId'>) {
  const { tc, tl } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  if (events.length === 0 || (events.length === 1 && eventId)) return null;
  const choose = ({ target }: { readonly target: { readonly value: string } }): void =>
    navigate({ pathname, search: `?event=${encodeURIComponent(target.value)}` }, { replace: true });
  return (
    <FormField name="door-event" label={tc('Door.event')}>
      <select id="door-event" value={eventId ?? ''} onChange={choose}>
        {eventId ? null : <option value="">{tl('choose')}</option>}
        {events.map(({ id, name, startsAt }) => (
          <option key={id} value={id}>
            {briefly(startsAt)} · {name}
          </option>
        ))}
      </select>
    </FormField>
  );
}
