import { EnvError, makeValidator } from 'envalid';

/** A daily quota; 0 means no limit. */
const quota = makeValidator<number>((text) => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= 100_000_000)) throw new EnvError('write a whole number up to 100000000, or 0 for no limit');
  return value;
});

/** From 1 to 100. */
const percent = makeValidator<number>((text) => {
  const value = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > 100) throw new EnvError('write a whole number from 1 to 100');
  return value;
});

export const quotaSpecification = {
  QUOTA_MAILS: quota({ default: 2000 }),
  QUOTA_MEGABYTES: quota({ default: 500 }),
  QUOTA_BOOKINGS: quota({ default: 20_000 }),
  QUOTA_NEW_PERCENT: percent({ default: 10 }),
} as const;

/** What a tenant may use a day; 0: no limit. `newPercent` of it in its first month. */
export interface QuotaSettings {
  readonly mails: number;
  readonly megabytes: number;
  readonly bookings: number;
  readonly newPercent: number;
}

/** The quotas of read settings. */
export function quotasOf(env: { readonly [Name in keyof typeof quotaSpecification]: number }): QuotaSettings {
  const { QUOTA_MAILS: mails, QUOTA_MEGABYTES: megabytes, QUOTA_BOOKINGS: bookings, QUOTA_NEW_PERCENT: newPercent } = env;
  return { mails, megabytes, bookings, newPercent };
}
