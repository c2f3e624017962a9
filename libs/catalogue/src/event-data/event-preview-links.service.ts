import { databaseNow, SignedLinks } from '#kernel';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';

const dayMs = 86_400_000;
/** Days for which a link opens the preview. */
export const previewDays = 14;

/** Signed links to the page of an event before it is published: everybody who has one sees the page, for two weeks. */
@Injectable()
export class EventPreviewLinks {
  constructor(private readonly links: SignedLinks) {}

  pathTo({ id, slug }: { readonly id: string; readonly slug: string }): string {
    // Whole days, so that the link stays the same for a day.
    const until = Math.floor(databaseNow().getTime() / dayMs) + previewDays;
    return `/event/${slug}/preview/${until}.${this.links.markOf(signedText(id, until))}`;
  }

  /** Whether a key (the last path segment) opens the preview of the event now. */
  opens(id: string, key: string): boolean {
    const [, until = '', mark = ''] = /^(\d{1,6})\.([\w-]{1,64})$/.exec(key) ?? [];
    return until !== '' && databaseNow().getTime() < Number(until) * dayMs && this.links.isMarkOf(mark, signedText(id, Number(until)));
  }
}

/** Contains the tenant's id, so that a mark is valid in one tenant only. */
function signedText(id: string, until: number): string {
  return `event-preview:${currentTenant().id}:${id}:${until}`;
}
