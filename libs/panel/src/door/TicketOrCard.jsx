import React from 'react';
import DefaultReferenceListProperty from '#panel-kit/components/fields/reference/DefaultReferenceListProperty.jsx';

/** Whose ticket was held out, or whose membership card: one column for both. */
export default function TicketOrCard({ property, record }) {
  const card = { ...property, path: 'membershipId', reference: 'memberships' };
  return <DefaultReferenceListProperty property={record.params.ticketId ? property : card} record={record} />;
}
