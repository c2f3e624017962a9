import { RefusedInput, type Text } from '#kernel';
import type { Tx } from '#tenancy';
import { texts } from '../locales/booking.texts.js';

interface Option {
  readonly id: string;
  readonly name: string;
  readonly kind: 'radio' | 'checkbox';
}

/**
 * Stores the options that a buyer chose.
 * @param wanted UUIDs or names of published options of the event
 * @throws RefusedInput on `options`
 */
export async function chooseOptions(tx: Tx, reservationId: string, eventId: string, wanted: readonly string[]): Promise<void> {
  if (wanted.length === 0) return;
  // Locked until the commit, so that the options cannot be deleted meanwhile.
  const offered = await tx.query<Option[]>(
    `select id, name, kind from event_option where event_id = $1 and published and (id::text = any($2) or name = any($3))
     order by id for key share`,
    [eventId, wanted.map((text) => text.toLowerCase()), wanted],
  );
  const chosen = new Map(wanted.map((text) => optionOf(offered, text)).map((option) => [option.id, option]));
  if ([...chosen.values()].filter(({ kind }) => kind === 'radio').length > 1) throw refused(onlyOne);
  await tx.query(
    'insert into reservation_option (reservation_id, option_id, name) select $1::uuid, * from unnest($2::uuid[], $3::text[])',
    [reservationId, [...chosen.keys()], [...chosen.values()].map(({ name }) => name)],
  );
}

/** Finds an option by UUID or name. A name is ambiguous when a radio and a checkbox option share it. */
function optionOf(offered: readonly Option[], text: string): Option {
  const byId = offered.find(({ id }) => id === text.toLowerCase());
  if (byId) return byId;
  const [named, another] = offered.filter(({ name }) => name === text);
  if (!named) throw refused(unknown);
  if (another) throw refused(ambiguous);
  return named;
}

const refused = (text: Text): RefusedInput => new RefusedInput('options', text);

const unknown: Text = texts.localized('chosenOptions.unknown');
const ambiguous: Text = texts.localized('chosenOptions.ambiguous');
const onlyOne: Text = texts.localized('chosenOptions.onlyOne');
