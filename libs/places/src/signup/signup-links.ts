import { isUuid, SignedLinks } from '#kernel';
import { Injectable } from '@nestjs/common';

/**
 * - `form`: fills in a form that was begun; in the form itself, so its sender knows it
 * - `invitation`: the same for a person whom an operator invited, with a known address
 * - `confirmation`: creates the tenant, and lets the administrator choose a password; only in mails to the address of the form
 */
export type SignupLink = 'form' | 'invitation' | 'confirmation';

/** What lets people do something with a form of `/tenant/new/`: an id and a mark that only this server can make. */
@Injectable()
export class SignupLinks {
  constructor(private readonly links: SignedLinks) {}

  /** `<id>.<mark>`, for a field of the form. */
  tokenOf(kind: Exclude<SignupLink, 'confirmation'>, id: string): string {
    return `${id}.${this.mark(kind, id)}`;
  }

  /** The id in a token; undefined when this server did not make it for this use. */
  idOf(kind: Exclude<SignupLink, 'confirmation'>, token: string): string | undefined {
    const [id = '', mark = ''] = token.slice(0, 200).split('.');
    return isUuid(id) && this.links.isMarkOf(mark, what(kind, id)) ? id : undefined;
  }

  /** The page that asks to confirm, and later tells what became of it. */
  confirmationPath(id: string): string {
    return `/tenant/new/${id}/${this.mark('confirmation', id)}`;
  }

  invitationPath(id: string): string {
    return `/tenant/new/?invitation=${this.tokenOf('invitation', id)}`;
  }

  confirms(id: string, mark: string): boolean {
    return isUuid(id) && this.links.isMarkOf(mark, what('confirmation', id));
  }

  /** The same network always has the same one, which tells nobody which network it is. */
  networkMark(network: string): string {
    return this.links.markOf(`place form network:${network}`);
  }

  /** The same address always has the same one. */
  markOfAddress(email: string): string {
    return this.links.markOf(`place form address:${email.trim().toLowerCase()}`);
  }

  private mark(kind: SignupLink, id: string): string {
    return this.links.markOf(what(kind, id));
  }
}

function what(kind: SignupLink, id: string): string {
  return `place form ${kind}:${id}`;
}
