import { UsersService, type User } from '#tenancy';
import { Refusal } from '../terminal/failure.js';
import { guichet } from '../terminal/output.js';
import type { Session } from '../terminal/session.js';

/** The user of an e-mail address. @throws Refusal when there is none */
export async function knownUser(session: Session, email: string): Promise<User> {
  const user = await session.service(UsersService).findByEmail(email);
  if (!user) throw new Refusal(`There is no user ${email}. The known ones: ${guichet} user list`);
  return user;
}
