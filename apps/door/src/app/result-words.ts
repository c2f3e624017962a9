import type { Reason, ScanResult } from '../core/types.js';
import type { Parameters } from '../texts/fill-text.js';
import type { Key } from '../texts/texts.js';
import { bornBefore, clockTime, momentWords, secondsSince } from '../texts/times.js';

/** What the words depend on beside the result. */
export interface Surroundings {
  readonly t: (key: Key, parameters?: Parameters) => string;
  readonly locale: string;
  /** Time zone of the venue; null: that of the phone. */
  readonly zone: string | null;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Time of the list. */
  readonly listAt: number | null;
  /** Words of the part that loads later; undefined, null: it has not loaded yet. */
  readonly later?: Record<'laterStep' | 'laterDetail', (result: ScanResult, around: Surroundings) => string | null> | null;
}

/** Everything that a result card says, ready to show. */
export interface ResultWords {
  /** One word, readable at two metres. */
  readonly word: string;
  readonly name: string | null;
  readonly product: string | null;
  readonly reason: string | null;
  /** Since when, which gate, which device; or which other event. */
  readonly detail: string | null;
  /** What to do now. */
  readonly step: string | null;
  readonly notes: readonly string[];
  readonly age: string | null;
  readonly group: string | null;
  /** All of it in the order of importance, for screen readers. */
  readonly spoken: string;
}

/** What to do when the engine names no step. */
const stepOf: Readonly<Record<Reason, Key>> = {
  already_scanned: 'steps.to_desk',
  cancelled: 'steps.to_desk',
  not_admission: 'steps.hand_out',
  wrong_event: 'steps.to_desk',
  not_paid: 'steps.pay',
  not_active: 'steps.to_desk',
  too_early: 'steps.to_desk',
  too_late: 'steps.to_desk',
  wrong_gate: 'steps.to_desk',
  no_reentry: 'steps.to_desk',
  not_inside: 'steps.let_out',
  not_enough: 'steps.fewer',
  membership: 'steps.ticket',
  not_in_list: 'steps.decide',
  allowance_used: 'steps.supervisor',
  unknown_key: 'steps.connect',
  forged: 'steps.to_desk',
  revoked: 'steps.newest_code',
  malformed: 'steps.ticket',
  unknown: 'steps.to_desk',
  other_device: 'steps.to_desk',
  double_entry: 'steps.to_desk',
  failed: 'steps.again',
};

const joined = (parts: ReadonlyArray<string | null>, between: string): string | null => {
  const present = parts.filter((part) => part !== null && part !== '');
  return present.length > 0 ? present.join(between) : null;
};

/** The words of a result card. */
export function resultWords(result: ScanResult, around: Surroundings): ResultWords {
  const { t } = around;
  const { verdict, reason, holder, group } = result;
  const words = {
    word: t(`words.${verdict}`),
    name: joined([holder?.firstName ?? null, holder?.lastName ?? null], ' '),
    product: joined([result.product, result.price === result.product ? null : result.price], ' · '),
    reason: reason ? t(`reasons.${reason}`) : null,
    detail: around.later?.laterDetail(result, around) ?? detailOf(result, around),
    step: around.later?.laterStep(result, around) ?? stepWords(result, around),
    // Who stays outside or leaves gets no wristband.
    notes: verdict === 'go' || verdict === 'just' ? result.notes : [],
    age:
      result.age === null || verdict === 'stop' || verdict === 'out'
        ? null
        : t('result.age', { age: result.age, date: bornBefore(result.age, around.now, around.locale, around.zone) }),
    group: group && group.count > 1 ? t('result.group', { inside: group.inside, count: group.count }) : null,
  };
  const { word, name, product, detail, step, notes, age } = words;
  const spoken = joined([word, words.reason, name, product, detail, ...notes, age, words.group, step], '. ') ?? word;
  return { ...words, spoken };
}

function detailOf({ verdict, reason, previous, other, at }: ScanResult, { t, locale, zone, now, listAt }: Surroundings): string | null {
  if (verdict === 'just')
    return previous?.at == null ? t('result.just') : t('result.justAgo', { count: secondsSince(previous.at, Math.max(at, previous.at)) });
  if (reason === 'not_in_list' || reason === 'allowance_used')
    return listAt === null ? null : t('result.list', { time: clockTime(listAt, locale, zone) });
  if (other.event !== null)
    return joined([other.event, other.place, other.startsAt === null ? null : momentWords(other.startsAt, now, locale, zone)], ' · ');
  if (!previous) return null;
  return joined([previous.at === null ? null : momentWords(previous.at, now, locale, zone), previous.gate, previous.device], ' · ');
}

function stepWords({ verdict, reason, nextStep, other }: ScanResult, { t, locale, zone, now }: Surroundings): string | null {
  if (nextStep?.text) return nextStep.text;
  if (reason === null) return null;
  const code = nextStep?.code;
  const holder = other.holder && joined([other.holder.device, other.holder.gate], ', ');
  if (reason === 'other_device' && holder) return t('steps.to_device', { device: holder });
  if (verdict === 'stop' && reason === 'not_in_list') return t('steps.to_desk');
  if ((code === 'other_gate' || reason === 'wrong_gate') && other.gates.length > 0)
    return t('steps.other_gate', { gates: new Intl.ListFormat(locale, { type: 'disjunction' }).format(other.gates) });
  if ((code === 'wait' || reason === 'too_early') && other.opensAt !== null)
    return t('steps.wait', { opens: momentWords(other.opensAt, now, locale, zone) });
  if (reason === 'wrong_event' && other.place !== null) return t('steps.other_event', { where: other.place });
  return code === 'pay' || code === 'free_space' || code === 'connect' ? t(`steps.${code}`) : t(stepOf[reason]);
}
