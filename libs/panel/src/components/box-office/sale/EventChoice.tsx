import { useTranslation } from 'adminjs';
import { describing, FormField } from '#panel-kit/components/forms/FormField.js';
import { briefly, timeOf } from '#panel-kit/components/shared/times.js';
import { MEMBERSHIPS } from './sale-state.js';
import type { BoxOfficeView } from '../../../box-office/sale-view.js';

/** What is sold: an event of today, a later one, or memberships. */
export function EventChoice({
  view,
  chosen,
  choose,
  fault,
}: {
  readonly view: BoxOfficeView;
  readonly chosen: string | null;
  readonly choose: (event: string) => void;
  readonly fault: string | undefined;
}) {
  const { tc, tl } = useTranslation();
  const groups = (['today', 'later'] as const)
    .map((group) => ({ group, events: view.events.filter(({ isToday }) => isToday === (group === 'today')) }))
    .filter(({ events }) => events.length > 0);
  const event = chosen === MEMBERSHIPS ? undefined : view.sale?.event;
  return (
    <FormField name="eventId" label={tc(view.memberships ? 'BoxOffice.eventOrMembership' : 'BoxOffice.event')} fault={fault}>
      <select id="eventId" value={chosen ?? ''} {...describing('eventId', fault)} onChange={({ target }) => choose(target.value)}>
        {chosen ? null : <option value="">{tl('choose')}</option>}
        {groups.map(({ group, events }) => (
          <optgroup key={group} label={tc(`BoxOffice.${group}`)}>
            {events.map(({ id, name, startsAt }) => (
              <option key={id} value={id}>
                {group === 'today' ? timeOf(startsAt) : briefly(startsAt)} · {name}
              </option>
            ))}
          </optgroup>
        ))}
        {view.memberships ? <option value={MEMBERSHIPS}>{tc('BoxOffice.memberships')}</option> : null}
      </select>
      {event ? (
        <p className="gt-help gt-after-field">
          {[
            briefly(event.startsAt),
            event.place,
            event.remaining > 0 ? tc('BoxOffice.places', { count: event.remaining }) : tc('BoxOffice.full'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      ) : null}
    </FormField>
  );
}
