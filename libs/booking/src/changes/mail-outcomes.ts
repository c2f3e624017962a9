import { retryOnDeadlock } from '#kernel';
import type { TenantDb, Tx } from '#tenancy';
import { enter, type LockedReservation } from '../reservations/reservation-rows.js';

/**
 * Records the outcome of the mail with the tickets: P, FA→V, PE, PN. Later outcomes, and outcomes of mails to a previous address, have no
 * effect. Locks the reservation without its event, because no place changes; a lock of the event would delay bookings.
 * @param store stores the outcome on the mail in the same transaction; when it returns false, the reservation stays unchanged
 */
export async function recordMailOutcome(
  db: TenantDb,
  id: string,
  to: 'V' | 'PE' | 'PN',
  recipient?: string,
  store?: (tx: Tx) => Promise<boolean>,
): Promise<void> {
  const record = async (tx: Tx): Promise<void> => {
    const [reservation] = await tx.query<Pick<LockedReservation, 'id' | 'status' | 'email'>[]>(
      'select id, status, email from reservation where id = $1 for no key update',
      [id],
    );
    if ((store && !(await store(tx))) || !reservation) return;
    const { status, email } = reservation;
    if ((recipient ?? email) === email && (status === 'P' || status === 'FA')) await enter(tx, reservation, to);
  };
  await retryOnDeadlock(() => db.transaction(record));
}
