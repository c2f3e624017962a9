import type { Settings } from '#kernel';

/**
 * What a tenant may use a day: mails to addresses that never opened one, bytes that are stored, bookings over the API. Strangers can
 * register tenants, and a tenant must not use up the server's reputation with mail servers, its disk or its database.
 */
export const quotaKinds = ['mails', 'megabytes', 'bookings'] as const;
export type QuotaKind = (typeof quotaKinds)[number];

/** Units in which use is counted, for one of the quota. */
export const unitsOf: Readonly<Record<QuotaKind, number>> = { mails: 1, megabytes: 1_000_000, bookings: 1 };

/** Units that a process reserves at once, so that it asks the database for few of them. */
export const reservedAtOnce: Readonly<Record<QuotaKind, number>> = { mails: 5, megabytes: 1_000_000, bookings: 20 };

/** Parts of a quota, in percent, at which operators are told. */
export const toldAt = [100, 80] as const;

/** Days in which a tenant counts as new. */
export const newDays = 30;

/** The quota that an operator gave; null: that of the server. */
export type GivenQuotas = Readonly<Record<QuotaKind, number | null>>;

/** The daily quota of a tenant; undefined: no limit. */
export function quotaOf(
  kind: QuotaKind,
  { given, isNew }: { readonly given: number | null; readonly isNew: boolean },
  { quotas }: Pick<Settings, 'quotas'>,
): number | undefined {
  const usual = quotas[kind];
  if (usual === 0) return undefined;
  if (given !== null) return given;
  return isNew ? Math.max(1, Math.ceil((usual * quotas.newPercent) / 100)) : usual;
}
