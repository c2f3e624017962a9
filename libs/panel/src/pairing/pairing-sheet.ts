import { dayAndTimeWords, timeWords, venueDayOf, type Language } from '#kernel';
import type { DeviceRole, TeamCodeOverview, TeamCodesService } from '#scan';
import { currentTenant, type TenantDb } from '#tenancy';
import { currentPanelRequest, qrPicture } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';
import { pairingAddress } from './team-code.reader.js';

const sheetWords = texts.perLanguage('pairingSheet', ({ words, t }) => ({
  ...words,
  type: (address: string) => t('pairingSheet.type', { address }),
  hours: (from: string, to: string) => t('pairingSheet.hours', { from, to }),
  phones: (count: number) => t('pairingSheet.phones', { count }),
}));
const roleWords = texts.perLanguage('scanningDevices.words.values', ({ words }) => words.role);

/** What a pairing sheet says. The texts are in the language of the place, because volunteers read them. */
export interface SheetFacts {
  readonly name: string;
  readonly role: DeviceRole;
  /** What the QR code opens. */
  readonly address: string;
  /** As people type it; null: it is too long to type. */
  readonly code: string | null;
  readonly expiresAt: Date;
  /** How many phones it pairs. */
  readonly places: number;
  readonly event: { readonly name: string; readonly startsAt: Date } | null;
  readonly gates: readonly string[];
  readonly hours: { readonly opensAt: Date; readonly closesAt: Date } | null;
}

/** The view of the component `PairingSheet`. */
export async function sheetView(facts: SheetFacts) {
  const { language, name: venue } = currentTenant();
  const words = sheetWords[language];
  const { origin } = currentPanelRequest();
  return {
    state: 'open' as const,
    language,
    venue,
    title: words.title,
    name: facts.name,
    picture: await qrPicture(facts.address),
    pictureOf: words.picture,
    code: facts.code,
    type: facts.code === null ? null : words.type(`${new URL(origin).host}/door`),
    facts: factsOf(facts, language),
    stepsTitle: words.stepsTitle,
    steps: [words.scan, words.pair, words.start],
    iphone: words.iphone,
    help: words.help,
  };
}

function factsOf({ event, gates, role, hours, expiresAt, places }: SheetFacts, language: Language) {
  const { timeZone } = currentTenant();
  const words = sheetWords[language];
  const when = (instant: Date): string => dayAndTimeWords(instant, language, timeZone);
  return [
    ...(event ? [{ label: words.event, value: `${event.name}, ${when(event.startsAt)}` }] : []),
    ...(gates.length > 0 ? [{ label: gates.length > 1 ? words.gates : words.gate, value: gates.join(', ') }] : []),
    { label: words.role, value: roleWords[language][role] },
    ...(hours ? [{ label: words.works, value: hoursWords(hours, language, timeZone) }] : []),
    { label: words.validUntil, value: when(expiresAt) },
    { label: words.pairs, value: words.phones(places) },
  ];
}

/** One day is named once. */
function hoursWords({ opensAt, closesAt }: NonNullable<SheetFacts['hours']>, language: Language, timeZone: string): string {
  const isOneDay = venueDayOf(opensAt, timeZone) === venueDayOf(closesAt, timeZone);
  const from = dayAndTimeWords(opensAt, language, timeZone);
  const to = isOneDay ? timeWords(closesAt, language, timeZone) : dayAndTimeWords(closesAt, language, timeZone);
  return sheetWords[language].hours(from, to);
}

/** The sheet of a team code; `over`: it pairs no more phones. */
export async function sheetOfTeamCode(codes: TeamCodesService, id: string) {
  const [shown, [overview]] = [await codes.show(id), await codes.overview({ id })];
  if (!shown || !overview) return { state: 'over' as const };
  return sheetView({
    ...overview,
    expiresAt: shown.expiresAt,
    address: pairingAddress(shown.code),
    code: shown.code,
    event: overview.eventName !== null && overview.startsAt ? { name: overview.eventName, startsAt: overview.startsAt } : null,
    gates: gatesOf(overview),
    hours: overview.opensAt && overview.closesAt ? { opensAt: overview.opensAt, closesAt: overview.closesAt } : null,
  });
}

/** The gate at which the phones start says more than those that they may use. */
const gatesOf = ({ gateName, gateNames }: TeamCodeOverview): readonly string[] => (gateName === null ? (gateNames ?? []) : [gateName]);

interface DeviceRow {
  readonly name: string;
  readonly role: DeviceRole;
  readonly eventName: string | null;
  readonly startsAt: Date | null;
  readonly gateName: string | null;
}

/** The sheet of one device. @param code its pairing code, which is stored as a hash only */
export async function sheetOfDevice(db: TenantDb, id: string, code: Pick<SheetFacts, 'address' | 'expiresAt'>) {
  const [device] = await db.transaction((tx) =>
    tx.query<DeviceRow[]>(
      `select device.name, device.role, event.name as "eventName", event.starts_at as "startsAt", gate.name as "gateName"
       from scanning_device device left join event on event.id = device.event_id left join gate on gate.id = device.gate_id
       where device.id = $1`,
      [id],
    ),
  );
  if (!device) return { state: 'expired' as const };
  const { eventName, startsAt, gateName } = device;
  return sheetView({
    ...code,
    name: device.name,
    role: device.role,
    code: null,
    places: 1,
    event: eventName !== null && startsAt ? { name: eventName, startsAt } : null,
    gates: gateName === null ? [] : [gateName],
    hours: null,
  });
}
