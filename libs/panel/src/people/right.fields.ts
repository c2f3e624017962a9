import { Event, eventCategories, eventIsOverSql, type EventCategory } from '#catalogue';
import { dayWords, isUuid } from '#kernel';
import { currentGrant, currentPanelRequest, PanelFieldError, textOf, toInstant, type FormField, type PanelRow } from '#panel-kit';
import { currentTenant, hasModule, isWithin, presetNames, presets, presetWords, type Grant, type NewGrant } from '#tenancy';
import { peopleWords } from './people.words.js';
import type { PeopleServices } from './people.services.js';

/** Maximum number of events that a form offers. */
const mostOffered = 200;

export const kinds = Object.keys(eventCategories) as EventCategory[];

/** The fields of a right. @param present the right that the form changes */
export async function rightFields(services: PeopleServices, present?: Grant): Promise<FormField[]> {
  const { language } = currentPanelRequest();
  const words = peopleWords[language];
  const scope = present?.scope ?? { kind: 'all' };
  const fields: FormField[] = [
    {
      name: 'role',
      kind: 'select',
      label: words.resource.properties.role,
      value: present?.roleId ?? present?.role ?? '',
      options: await offeredRoles(services),
      required: true,
    },
  ];
  if (hasModule('events')) {
    const chosen = scope.kind === 'events' ? scope.eventIds : [];
    fields.push(
      {
        name: 'scope',
        kind: 'choice',
        label: words.resource.properties.scope,
        value: scope.kind,
        options: (['all', 'events', 'kinds'] as const).map((value) => ({ value, label: words.scopes[value] })),
      },
      {
        name: 'events',
        kind: 'checks',
        label: words.form.events,
        value: [...chosen],
        options: await offeredEvents(services, chosen),
        when: { field: 'scope', values: ['events'] },
      },
      {
        name: 'kinds',
        kind: 'checks',
        label: words.form.kinds,
        help: words.form.kindsHelp,
        value: scope.kind === 'kinds' ? [...scope.kinds] : [],
        options: kinds.map((value) => ({ value, label: eventCategories[value][language] })),
        when: { field: 'scope', values: ['kinds'] },
      },
    );
  }
  return [
    ...fields,
    {
      name: 'endsAt',
      kind: 'datetime',
      label: words.resource.properties.endsAt,
      help: words.form.endsHelp,
      value: present?.endsAt ?? '',
    },
  ];
}

/** The right that a form was sent with. @throws PanelFieldError */
export async function rightIn({ db }: PeopleServices, values: PanelRow): Promise<NewGrant> {
  const typed = textOf(values['endsAt']);
  const endsAt = typed === '' ? null : toInstant(typed);
  if (typed !== '' && endsAt === null) throw new PanelFieldError({ endsAt: { message: 'fieldDate' } });
  const role = textOf(values['role']);
  if (role === '') throw new PanelFieldError({ role: { message: 'fieldRequired' } });
  const right = { role, ...(endsAt !== null && { endsAt: new Date(endsAt) }) };
  const listOf = (name: string): string[] => [values[name] ?? []].flat().filter((value) => typeof value === 'string');
  if (values['scope'] === 'kinds') {
    return { ...right, scope: { kind: 'kinds', kinds: kinds.filter((kind) => listOf('kinds').includes(kind)) } };
  }
  if (values['scope'] !== 'events') return right;
  const ids = listOf('events').filter(isUuid);
  const events = await db.transaction((tx) =>
    tx
      .createQueryBuilder()
      .select('event.id', 'id')
      .from(Event, 'event')
      .where('event.id = any(:ids)', { ids })
      .getRawMany<{ id: string }>(),
  );
  return { ...right, scope: { kind: 'events', eventIds: events.map(({ id }) => id) } };
}

/** The roles that the person may give: presets and those of the venue. */
async function offeredRoles({ roles }: PeopleServices): Promise<NonNullable<FormField['options']>> {
  const { levels } = currentGrant();
  const words = presetWords[currentPanelRequest().language];
  const own = (await roles.list()).filter((role) => isWithin(role.levels, levels)).map(({ id, name }) => ({ value: id, label: name }));
  const known = presetNames.filter((name) => isWithin(presets[name], levels)).map((name) => ({ value: name, ...words[name] }));
  return [...known, ...own];
}

/** Events that are not over, and chosen ones. */
async function offeredEvents({ db, settings }: PeopleServices, chosen: readonly string[]): Promise<{ value: string; label: string }[]> {
  const rows = await db.transaction((tx) =>
    tx
      .createQueryBuilder()
      .select('event.id', 'id')
      .addSelect('event.name', 'name')
      .addSelect('event.startsAt', 'startsAt')
      .from(Event, 'event')
      .where(`event.id = any(:chosen) or not ${eventIsOverSql('event', settings)}`, { chosen })
      .orderBy('event.id = any(:chosen)', 'DESC')
      .addOrderBy('event.startsAt', 'ASC')
      .limit(mostOffered)
      .getRawMany<{ id: string; name: string; startsAt: Date }>(),
  );
  const { language } = currentPanelRequest();
  const { timeZone } = currentTenant();
  return rows.map(({ id, name, startsAt }) => ({ value: id, label: `${name} · ${dayWords(startsAt, language, timeZone)}` }));
}
