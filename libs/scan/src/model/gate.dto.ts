import { currency, isoInZone, type Language, localeOf, moneyWords } from '#kernel';
import type { DoorMembers, DoorRefusalMembers, GateName, NextStep, NextStepCode, ScanGroup } from './gate-answers.dto.js';
import type { DoorFacts, GateFacts, ScanFacts, ScanOutcome } from './scan-facts.js';
import { sayWhen } from './scan.messages.js';
import { texts } from '../locales/scan.texts.js';

/** Members of every answer to a device that named a gate or a direction; none for other devices. */
export function doorMembers({ door }: ScanFacts): DoorMembers {
  if (!door) return {};
  return {
    gate: nameOf(door.gate),
    direction: door.direction,
    group: groupOf(door),
    ...(door.notes && { notes: door.notes.filter((note): note is string => note !== null && note !== ''), age: door.age ?? null }),
    ...(door.moved && { moved: door.moved }),
  };
}

/** Further members of a refusal: since when, which gate, and the next step. */
export function doorRefusal(facts: ScanFacts): DoorRefusalMembers {
  const { door, outcome, timeZone } = facts;
  if (!door) return {};
  const left = { left_at: door.leftAt ? isoInZone(door.leftAt, timeZone) : null, left_gate: door.leftAt ? nameOf(door.lastGate) : null };
  return {
    ...doorMembers(facts),
    ...(outcome === 'cancelled' && { cancelled_at: door.cancelledAt ? isoInZone(door.cancelledAt, timeZone) : null }),
    ...(outcome === 'already_scanned' && { scanned_gate: nameOf(door.lastGate) }),
    ...((outcome === 'no_reentry' || outcome === 'not_inside') && left),
    ...(outcome === 'not_enough' && { available: door.available ?? 0 }),
    ...(outcome === 'wrong_gate' && { gates: (door.passes ?? []).map(({ uuid, name }) => ({ uuid, name })) }),
    ...(door.due && { due: { amount: door.due, currency } }),
    next_step: nextStepOf(facts, door),
  };
}

/** In a fixed order: facts of a replay come from the log, which orders members in its own way. */
function nameOf(gate: GateFacts | null): GateName | null {
  return gate && { uuid: gate.uuid, name: gate.name };
}

function groupOf({ group }: DoorFacts): ScanGroup {
  return {
    count: group.length,
    inside: group.filter(({ place }) => place === 'inside').length,
    expected: group.filter(({ place }) => place === 'expected').length,
    tickets: group.map(({ uuid, place, price, product, holder }) => ({
      uuid,
      reference: uuid.slice(0, 8),
      state: place,
      price,
      product,
      ...(holder && { first_name: holder.firstName, last_name: holder.lastName }),
    })),
  };
}

const steps: Partial<Record<ScanOutcome, NextStepCode>> = {
  not_paid: 'pay',
  wrong_event: 'other_event',
  wrong_gate: 'other_gate',
  too_early: 'wait',
  not_admission: 'hand_out',
  not_inside: 'let_out',
};

function nextStepOf({ outcome, event, language, timeZone }: ScanFacts, door: DoorFacts): NextStep {
  const step = steps[outcome] ?? 'to_desk';
  const code = step === 'other_gate' && !door.passes?.length ? 'to_desk' : step;
  if (code === 'pay' && door.due) {
    return { code, text: texts.translate(language, 'scan.collect', { amount: moneyWords(door.due, currency, language) }) };
  }
  const text = texts.translate(language, `scan.nextSteps.${code}`, {
    where: [event?.place, event?.name].filter(Boolean).join(', '),
    when: sayWhen(event?.startsAt, language, timeZone),
    opens: sayWhen(event?.opensAt, language, timeZone),
    gates: oneOf(
      (door.passes ?? []).map(({ name }) => name),
      language,
    ),
  });
  return { code, text };
}

function oneOf(names: readonly string[], language: Language): string {
  return new Intl.ListFormat(localeOf(language), { type: 'disjunction' }).format(names);
}
