import type { FormField } from '#panel-kit';

interface CopyWords {
  readonly publishCopies: string;
  readonly publishLater: string;
  readonly publishNow: string;
}

/** The choice whether copies of an event are published at once. */
export const publishField = ({ publishCopies, publishLater, publishNow }: CopyWords): FormField => ({
  name: 'published',
  kind: 'choice',
  label: publishCopies,
  value: 'false',
  options: [
    { value: 'false', label: publishLater },
    { value: 'true', label: publishNow },
  ],
});
