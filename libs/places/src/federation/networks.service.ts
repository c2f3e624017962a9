import { In } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { eventTexts, plainText, tagKey } from '#catalogue';
import { RefusedInput, refuseUnfitTexts } from '#kernel';
import { JobsService } from '#jobs';
import { currentTenant, demandModule, liveTenantSql, runInTenant, TenantDb, TenantsService, type Tx } from '#tenancy';
import { federationJob } from './federated-events.service.js';
import { lockMembership } from './federation-locks.js';
import { NetworkMember, type MemberState } from './network-member.entity.js';
import { membershipRefusal } from './network-refusals.js';
import { FederatedEvent } from './federated-event.entity.js';

/** Maximum number of networks that a tenant is in or asks to join, because each adds one row per event. */
export const mostNetworks = 20;
/** Hours until a tenant that was refused or removed may ask again. */
export const askAgainHours = 24;

export interface Asked {
  /** An event is sent when it has one of these tags; empty: all public events are sent. */
  readonly sentTags: readonly string[];
  /** The member of staff. */
  readonly userId?: string | null;
}

/** Memberships of tenants in networks: the tenant asks, changes and leaves; the network's staff accept, refuse and remove. */
@Injectable()
export class NetworksService {
  constructor(
    private readonly db: TenantDb,
    private readonly tenants: TenantsService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * The current tenant asks to join a network. A tenant that left, was refused or was removed may ask again.
   * @throws RefusedInput on networkId or sentTags; Problem 403 `tenant.module`
   */
  async ask(networkId: string, { sentTags, userId }: Asked): Promise<void> {
    demandModule('events');
    const tags = tagKeys('sentTags', sentTags);
    const tenantId = currentTenant().id;
    await this.db.shared(async (tx) => {
      await lockMembership(tx, tenantId);
      const asked = await tx.query<unknown[]>(askSql, [networkId, tenantId, tags, userId ?? null]);
      if (asked.length === 0) throw await this.refusalOf(tx, networkId, tenantId);
    });
  }

  /**
   * Changes which events the current tenant sends to a network. Removed events leave its agenda at once; added ones are copied in the
   * background.
   * @returns false when the tenant is not in the network and did not ask to join
   * @throws RefusedInput on sentTags
   */
  async send(networkId: string, sentTags: readonly string[]): Promise<boolean> {
    const tags = tagKeys('sentTags', sentTags);
    const tenantId = currentTenant().id;
    return this.db.shared(async (tx) => {
      await lockMembership(tx, tenantId);
      const [changed] = await tx.query<[{ state: MemberState }[], number]>(
        `update shared.network_member set sent_tags = $3 where network_id = $1 and tenant_id = $2 and state in ('asked', 'accepted')
         returning state`,
        [networkId, tenantId, tags],
      );
      if (changed[0]?.state !== 'accepted') return changed.length > 0;
      await tx.query(
        `delete from shared.federated_event where network_id = $1 and tenant_id = $2 and cardinality($3::text[]) > 0
         and not (tag_keys && $3)`,
        [networkId, tenantId, tags],
      );
      await this.jobs.add(tx, federationJob, networkId);
      return true;
    });
  }

  /**
   * Sets whether the current tenant's own agenda shows events of the network's other members, and with which tags (empty: all).
   * @returns false when the tenant is not in the network and did not ask to join
   * @throws RefusedInput on shownTags
   */
  async show(networkId: string, showsOthers: boolean, shownTags: readonly string[]): Promise<boolean> {
    const tags = tagKeys('shownTags', shownTags);
    const member = { networkId, tenantId: currentTenant().id, state: In(['asked', 'accepted']) };
    const { affected } = await this.db.shared((tx) => tx.update(NetworkMember, member, { showsOthers, shownTags: tags }));
    return affected !== 0;
  }

  /**
   * Sets whether gift cards of the network's other members pay at the current tenant, and whether its own pay at them. The codes of its
   * cards are listed before, see `NetworkCardsService.list`.
   * @returns false when the tenant is not in the network and did not ask to join
   */
  async shareCards(networkId: string, shared: Pick<NetworkMember, 'takesCards' | 'givesCards'>): Promise<boolean> {
    const member = { networkId, tenantId: currentTenant().id, state: In(['asked', 'accepted']) };
    const { affected } = await this.db.shared((tx) => tx.update(NetworkMember, member, shared));
    return affected !== 0;
  }

  /**
   * The current tenant leaves a network or withdraws its request; its events leave the agenda at once. @returns false when it was not in
   * it
   */
  leave(networkId: string): Promise<boolean> {
    return this.end(networkId, currentTenant().id, `state = 'left', left_at = (select now()), ${nothingShownSql}`, ['asked', 'accepted']);
  }

  /** The current tenant, a network, accepts a tenant. Its events are copied in the background. @returns false when there is no request */
  async accept(tenantId: string, userId?: string | null): Promise<boolean> {
    demandModule('federated-agenda');
    const networkId = currentTenant().id;
    return this.withMembership(tenantId, async (tx) => {
      const decided = await this.decide(tx, { networkId, tenantId, userId }, `state = 'accepted'`, ['asked', 'refused']);
      if (decided) await this.jobs.add(tx, federationJob, networkId);
      return decided;
    });
  }

  /** The current tenant, a network, refuses a request. @returns false when there is no request */
  refuse(tenantId: string, userId?: string | null): Promise<boolean> {
    const networkId = currentTenant().id;
    return this.withMembership(tenantId, (tx) => this.decide(tx, { networkId, tenantId, userId }, `state = 'refused'`, ['asked']));
  }

  /** The current tenant, a network, ends a membership; the tenant's events leave its agenda at once. @returns false when it is no member */
  remove(tenantId: string, userId?: string | null): Promise<boolean> {
    return this.end(currentTenant().id, tenantId, `state = 'removed', ${decidedSql}, ${nothingShownSql}`, ['accepted'], [userId ?? null]);
  }

  /**
   * Changes a membership of a tenant in a transaction of that tenant, because its locks are on its node.
   * @returns false when there is no such tenant
   */
  private async withMembership(tenantId: string, work: (tx: Tx) => Promise<boolean>): Promise<boolean> {
    const [member] = await this.tenants.byIds([tenantId]);
    if (!member) return false;
    const change = async (tx: Tx): Promise<boolean> => {
      await lockMembership(tx, tenantId);
      return work(tx);
    };
    return runInTenant(member, () => this.db.shared(change));
  }

  private decide(
    tx: Tx,
    { networkId, tenantId, userId }: { networkId: string; tenantId: string; userId?: string | null | undefined },
    change: string,
    from: readonly MemberState[],
  ): Promise<boolean> {
    return moved(tx, `${change}, ${decidedSql}`, [networkId, tenantId, from, userId ?? null]);
  }

  private end(
    networkId: string,
    tenantId: string,
    change: string,
    from: readonly MemberState[],
    values: readonly unknown[] = [],
  ): Promise<boolean> {
    // Waits for transactions that write events of the tenant and blocks new ones, so that no row is left behind.
    return this.withMembership(tenantId, async (tx) => {
      if (!(await moved(tx, change, [networkId, tenantId, from, ...values]))) return false;
      await tx.delete(FederatedEvent, { networkId, tenantId });
      return true;
    });
  }

  /** Finds out why a request was not stored. */
  private async refusalOf(tx: Tx, networkId: string, tenantId: string): Promise<RefusedInput> {
    const [found] = await tx.query<{ isNetwork: boolean; state: MemberState | null }[]>(
      `select exists (select 1 from shared.tenant t where t.id = $1 and t.category = 'M' and ${liveTenantSql('t')}) as "isNetwork",
         (select state from shared.network_member where network_id = $1 and tenant_id = $2) as state`,
      [networkId, tenantId],
    );
    if (!found?.isNetwork) return membershipRefusal('unknown');
    if (found.state === 'asked' || found.state === 'accepted') return membershipRefusal(found.state);
    if (found.state === 'refused' || found.state === 'removed') return membershipRefusal('soon');
    return membershipRefusal('many');
  }
}

/** What ends with a membership. */
const nothingShownSql = 'shows_others = false, takes_cards = false, gives_cards = false';
const decidedSql = 'decided_at = (select now()), decided_by = $4';

async function moved(tx: Tx, change: string, values: readonly unknown[]): Promise<boolean> {
  const [, count] = await tx.query<[unknown[], number]>(
    `update shared.network_member set ${change} where network_id = $1 and tenant_id = $2 and state = any($3)`,
    [...values],
  );
  return count > 0;
}

/** One statement decides; the lock keeps the count exact. Limit and waiting time are computed from the current rows. */
const askSql = `
  insert into shared.network_member (network_id, tenant_id, state, sent_tags, asked_at, asked_by)
  select t.id, $2::uuid, 'asked', $3::text[], (select now()), $4::uuid from shared.tenant t
  where t.id = $1 and t.category = 'M' and ${liveTenantSql('t')}
    and (select count(*) from shared.network_member m where m.tenant_id = $2 and m.state in ('asked', 'accepted')) < ${mostNetworks}
    and not exists (select 1 from shared.network_member m where m.network_id = t.id and m.tenant_id = $2
      and (m.state in ('asked', 'accepted')
        or m.state in ('refused', 'removed') and m.decided_at > (select now()) - interval '${askAgainHours} hours'))
  on conflict (network_id, tenant_id) do update set state = excluded.state, sent_tags = excluded.sent_tags, asked_at = excluded.asked_at,
    asked_by = excluded.asked_by, left_at = null
  returning 1`;

/** The keys of the tags, each once. @throws RefusedInput on `field` */
function tagKeys(field: 'sentTags' | 'shownTags', names: readonly string[]): string[] {
  refuseUnfitTexts({ [field]: names }, { [field]: eventTexts.keywords });
  return [...new Set(names.map((name) => tagKey(plainText(name))).filter(Boolean))];
}
