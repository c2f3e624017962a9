import React from 'react';
import DefaultReferenceListProperty from '#panel-kit/components/fields/reference/DefaultReferenceListProperty.jsx';

/** One column for the scanned ticket or membership card. */
export default function TicketOrCard({ property, record }) {
  const card = { ...property, path: 'membershipId', reference: 'memberships' };
  return <DefaultReferenceListProperty property={record.params.ticketId ? property : card} record={record} />;
}
