import type { TenantIdentity } from '#tenancy';
import type { Session } from '../terminal/session.js';

/** A tenant as commands print it in JSON. */
export function describeTenant(session: Session, tenant: TenantIdentity) {
  const { id, slug, name, category, host, language, timeZone, state } = tenant;
  return {
    uuid: id,
    slug,
    name,
    category,
    state,
    host: host || null,
    panel_url: host ? session.address(tenant, '/admin') : null,
    language,
    time_zone: timeZone,
  };
}
