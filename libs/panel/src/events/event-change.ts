import { eventAlterations, type EventAlteration, type EventChange } from '#catalogue';
import { type PanelRow, type PanelValue, textOf } from '#panel-kit';

const isAlteration = (value: PanelValue): value is EventAlteration => typeof value === 'string' && Object.hasOwn(eventAlterations, value);
/** Splits a field into names at the separator. */
const namesIn = (value: PanelValue, between: RegExp): string[] =>
  textOf(value)
    .split(between)
    .map((name) => name.trim())
    .filter(Boolean);

/** Converts the form's values to the service's input. */
export function toChange({ startsAt, endsAt, doorsAt, previousStartsAt, alteration, keywords, ...others }: PanelRow): EventChange {
  const { radioOptions, checkboxOptions, cutOffPolicy, tellHolders: _tells, holderNote: _note, ...rest } = others;
  const at = (instant: PanelValue): Date | null => (typeof instant === 'string' ? new Date(instant) : null);
  return {
    ...rest,
    ...(alteration !== undefined && { alteration: isAlteration(alteration) ? alteration : null }),
    ...(previousStartsAt !== undefined && { previousStartsAt: at(previousStartsAt) }),
    ...(cutOffPolicy !== undefined && { cutOffPolicy: cutOffPolicy === 'one_device' ? 'one_device' : 'record' }),
    ...(keywords !== undefined && { keywords: namesIn(keywords, /[,;\n]/) }),
    ...(radioOptions !== undefined && { radioOptions: namesIn(radioOptions, /\n/) }),
    ...(checkboxOptions !== undefined && { checkboxOptions: namesIn(checkboxOptions, /\n/) }),
    ...(typeof startsAt === 'string' && { startsAt: new Date(startsAt) }),
    ...(endsAt !== undefined && { endsAt: at(endsAt) }),
    ...(doorsAt !== undefined && { doorsAt: at(doorsAt) }),
  };
}
