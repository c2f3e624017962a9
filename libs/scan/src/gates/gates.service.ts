import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ProductCopiesService, type ProductCopy } from '#catalogue';
import { isUuid, isVisible, RefusedInput, refuseUnfitTexts, violatedConstraint, type Text } from '#kernel';
import { demandModule, TenantDb, type Tx } from '#tenancy';
import { GateRule } from './gate-rule.entity.js';
import { Gate, gateTexts } from './gate.entity.js';
import { texts } from '../locales/scan.texts.js';

export interface GateChange {
  readonly name?: string;
  /** The event that has the gate; null: every event. */
  readonly eventId?: string | null;
  /** 0 to 1,000. */
  readonly position?: number | null;
}
export type NewGate = GateChange & { readonly name: string };

/** Exactly one of product and price is set. */
export interface NewGateRule {
  readonly gateId: string;
  readonly productId?: string | null;
  readonly priceId?: string | null;
}

/** Manages the gates of the current tenant and what may pass them, on behalf of staff. */
@Injectable()
export class GatesService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly copies: ProductCopiesService,
  ) {}

  onModuleInit(): void {
    this.copies.follow(copyRules);
  }

  /** Creates a gate. @throws RefusedInput on name, eventId or position; Problem 403 `tenant.module` */
  async create(input: NewGate): Promise<{ id: string; name: string }> {
    demandModule('scanning');
    const columns = checked({ position: 0, ...input });
    const { identifiers } = await asInput(() => this.db.transaction((tx) => tx.insert(Gate, columns)));
    return { id: (identifiers[0] as { id: string }).id, name: columns.name as string };
  }

  /** Changes a gate; absent members stay. @returns false when there is no such gate. @throws RefusedInput as `create` */
  async change(id: string, change: GateChange): Promise<boolean> {
    const columns = checked(change);
    return asInput(() =>
      this.db.transaction(async (tx) => {
        if (Object.keys(columns).length === 0) return tx.existsBy(Gate, { id });
        return (await tx.update(Gate, { id }, columns)).affected === 1;
      }),
    );
  }

  /** Removes a gate with its rules. People who came in there count as inside without a gate. */
  async remove(id: string): Promise<void> {
    await this.db.transaction((tx) => tx.delete(Gate, { id }));
  }

  /** Lets a product or a price pass a gate. @throws RefusedInput on gateId, productId or priceId; Problem 403 `tenant.module` */
  async allow({ gateId, productId = null, priceId = null }: NewGateRule): Promise<{ id: string }> {
    demandModule('scanning');
    for (const [field, id] of Object.entries({ gateId, productId, priceId })) {
      if (id !== null && !isUuid(id)) throw new RefusedInput(field, texts.localized('gates.unknown'));
    }
    if ((productId === null) === (priceId === null)) throw new RefusedInput('productId', texts.localized('gates.oneOfBoth'));
    const add = () => this.db.transaction((tx) => tx.insert(GateRule, { gateId, productId, priceId }));
    const { identifiers } = await asInput(add, productId === null ? 'priceId' : 'productId');
    return { id: (identifiers[0] as { id: string }).id };
  }

  async disallow(id: string): Promise<void> {
    await this.db.transaction((tx) => tx.delete(GateRule, { id }));
  }
}

/** Lets the copy of a product and its prices pass the gates that the original passes. */
async function copyRules(tx: Tx, { originalId, id, priceIds }: ProductCopy): Promise<void> {
  await tx.query(
    `insert into gate_rule (gate_id, product_id, price_id)
     select gate_id, copied.product_id, copied.price_id
     from gate_rule join unnest($1::uuid[], $2::uuid[], $3::uuid[]) as copied (original_id, product_id, price_id)
       on copied.original_id in (gate_rule.product_id, gate_rule.price_id)`,
    [
      [originalId, ...priceIds.keys()],
      [id, ...Array<null>(priceIds.size).fill(null)],
      [null, ...priceIds.values()],
    ],
  );
}

function checked(change: GateChange): GateChange & { position?: number } {
  refuseUnfitTexts(change, gateTexts);
  const { name, eventId, position } = change;
  if (name !== undefined && !isVisible(name)) throw new RefusedInput('name', texts.localized('gates.nameInvalid'));
  const place = position ?? 0;
  if (!Number.isInteger(place) || place < 0 || place > 1000) throw new RefusedInput('position', texts.localized('gates.positionInvalid'));
  if (typeof eventId === 'string' && !isUuid(eventId)) throw new RefusedInput('eventId', texts.localized('gates.unknown'));
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(eventId !== undefined && { eventId }),
    ...(position !== undefined && { position: place }),
  };
}

const constraints: Readonly<Record<string, { readonly field?: string; readonly text: Text }>> = {
  gate_event_id_fkey: { field: 'eventId', text: texts.localized('gates.unknown') },
  gate_rule_gate_id_fkey: { field: 'gateId', text: texts.localized('gates.unknown') },
  gate_rule_product_id_fkey: { field: 'productId', text: texts.localized('gates.unknown') },
  gate_rule_price_id_fkey: { field: 'priceId', text: texts.localized('gates.unknown') },
  gate_rule_gate_id_product_id_key: { text: texts.localized('gates.ruleExists') },
};

/** Turns a violated constraint into a fault of its field. @param subject the field of the product or price of a rule */
async function asInput<Result>(work: () => Promise<Result>, subject = 'productId'): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const found = constraints[violatedConstraint(error) ?? ''];
    throw found ? new RefusedInput(found.field ?? subject, found.text) : error;
  }
}
