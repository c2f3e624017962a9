import { isUuid, SignedLinks } from '#kernel';
import { Injectable } from '@nestjs/common';

/**
 * - `form`: continues a started form; contained in the form itself, so its sender knows it
 * - `invitation`: the same for a person whom an operator invited, with a confirmed address
 * - `confirmation`: creates the tenant, and lets the administrator set a password; only in mails to the address of the form
 */
export type SignupLink = 'form' | 'invitation' | 'confirmation';

/** Links that give access to a form of `/tenant/new/`: an id and a signature that only this server can create. */
@Injectable()
export class SignupLinks {
  constructor(private readonly links: SignedLinks) {}

  /** `<id>.<signature>`, for a field of the form. */
  tokenOf(kind: Exclude<SignupLink, 'confirmation'>, id: string): string {
    return `${id}.${this.mark(kind, id)}`;
  }

  /** The id in a token; undefined when this server did not create it for this purpose. */
  idOf(kind: Exclude<SignupLink, 'confirmation'>, token: string): string | undefined {
    const [id = '', mark = ''] = token.slice(0, 200).split('.');
    return isUuid(id) && this.links.isMarkOf(mark, what(kind, id)) ? id : undefined;
  }

  /** The page that asks for confirmation, and afterwards shows the result. */
  confirmationPath(id: string): string {
    return `/tenant/new/${id}/${this.mark('confirmation', id)}`;
  }

  /** The path of the form for an invited person. */
  invitationPath(id: string): string {
    return `/tenant/new/?invitation=${this.tokenOf('invitation', id)}`;
  }

  /** Whether the mark of a confirmation link is valid for this form. */
  confirms(id: string, mark: string): boolean {
    return isUuid(id) && this.links.isMarkOf(mark, what('confirmation', id));
  }

  /** A keyed hash: the same for the same network, without revealing it. */
  networkMark(network: string): string {
    return this.links.markOf(`place form network:${network}`);
  }

  /** A keyed hash: the same for the same address. */
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
