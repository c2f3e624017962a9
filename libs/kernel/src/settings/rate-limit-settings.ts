import { EnvError, makeValidator } from 'envalid';

/** A token bucket with `count` tokens; an empty one is full again after `milliseconds`. */
export interface RateLimit {
  readonly count: number;
  readonly milliseconds: number;
}

const units: Readonly<Record<string, number>> = { s: 1000, min: 60_000, h: 3_600_000 };

/** `600/min`, `5/s`, `20/10s`; a number without unit is per minute; `0` or `off`: no limit. */
const rate = makeValidator<RateLimit | 'off'>((input) => {
  if (/^(0|off)$/i.test(input)) return 'off';
  const [, count, times, unit] = /^([1-9]\d{0,8})(?:\/([1-9]\d{0,3})?(s|min|h))?$/.exec(input) ?? [];
  if (count === undefined) throw new EnvError('write a number and a time such as 600/min or 20/10s, or off');
  return { count: Number(count), milliseconds: Number(times ?? 1) * (units[unit ?? 'min'] as number) };
});

/** The rate limit settings; docs/configuration.md lists the same. */
export const rateLimitSpecification = {
  RATE_PAGES: rate({ default: perMinute(6000) }),
  RATE_PICTURES: rate({ default: perMinute(30_000) }),
  RATE_SIGN_IN: rate({ default: perMinute(60) }),
  RATE_PAIRING: rate({ default: perMinute(60) }),
  RATE_UNKNOWN_KEYS: rate({ default: perMinute(300) }),
  RATE_UNKNOWN_HOSTS: rate({ default: perMinute(300) }),
  RATE_TENANT_FORM: rate({ default: { count: 60, milliseconds: 3_600_000 } }),
  RATE_KEY_READS: rate({ default: perMinute(6000) }),
  RATE_KEY_WRITES: rate({ default: perMinute(3000) }),
  RATE_BOOKINGS: rate({ default: perMinute(3000) }),
  RATE_SCANS: rate({ default: perMinute(1200) }),
  RATE_REFERENCES: rate({ default: { count: 30, milliseconds: 600_000 } }),
  RATE_SEARCHES: rate({ default: perMinute(60) }),
  RATE_PANEL: rate({ default: perMinute(1200) }),
  RATE_TENANT: rate({ default: perMinute(60_000) }),
} as const;

/** The limited requests, and the key by which they are counted: the client's network, the API key, the device or the tenant. */
export interface RateLimitSettings {
  /** Network: public pages and API reads without a key. */
  readonly pages: RateLimit | 'off';
  /** Network. */
  readonly pictures: RateLimit | 'off';
  /** Network; a known browser is counted separately. */
  readonly signIn: RateLimit | 'off';
  /** Network. */
  readonly pairing: RateLimit | 'off';
  /** Network: requests with keys that were not accepted recently. */
  readonly unknownKeys: RateLimit | 'off';
  /** Network: forms submitted at `/tenant/new/`. */
  readonly tenantForm: RateLimit | 'off';
  /** Network: requests with a host name that was not found lately. */
  readonly unknownHosts: RateLimit | 'off';
  /** Key. */
  readonly keyReads: RateLimit | 'off';
  /** Key. */
  readonly keyWrites: RateLimit | 'off';
  /** Key: creating or changing reservations and memberships. */
  readonly bookings: RateLimit | 'off';
  /** Device: all requests below /scan/. */
  readonly scans: RateLimit | 'off';
  /** Device: typed references that name no ticket. */
  readonly references: RateLimit | 'off';
  /** Device: searches of tickets by name, e-mail address or reference. */
  readonly searches: RateLimit | 'off';
  /** Session: all requests of a signed-in person below /admin. */
  readonly panel: RateLimit | 'off';
  /** Tenant: applied to each limit above, for all callers of the tenant together. */
  readonly tenant: RateLimit | 'off';
}

type Names = Record<keyof typeof rateLimitSpecification, RateLimit | 'off'>;

/** Maps the environment's names to the names of the limits. */
export function rateLimitsOf(env: Names): RateLimitSettings {
  return {
    pages: env.RATE_PAGES,
    pictures: env.RATE_PICTURES,
    signIn: env.RATE_SIGN_IN,
    pairing: env.RATE_PAIRING,
    unknownKeys: env.RATE_UNKNOWN_KEYS,
    tenantForm: env.RATE_TENANT_FORM,
    unknownHosts: env.RATE_UNKNOWN_HOSTS,
    keyReads: env.RATE_KEY_READS,
    keyWrites: env.RATE_KEY_WRITES,
    bookings: env.RATE_BOOKINGS,
    scans: env.RATE_SCANS,
    references: env.RATE_REFERENCES,
    searches: env.RATE_SEARCHES,
    panel: env.RATE_PANEL,
    tenant: env.RATE_TENANT,
  };
}

function perMinute(count: number): RateLimit {
  return { count, milliseconds: 60_000 };
}
