import DefaultReferenceListProperty from '#panel-kit/components/fields/reference/DefaultReferenceListProperty.js';
import type { ShownProps } from '#panel-kit/components/page/props.js';

/** One column for the scanned ticket or membership card. */
export default function TicketOrCard({ property, record }: ShownProps) {
  const card = { ...property, path: 'membershipId', reference: 'memberships' };
  return <DefaultReferenceListProperty property={record.params.ticketId ? property : card} record={record} />;
}
