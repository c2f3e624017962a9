import React, { useEffect } from 'react';
import { useTranslation } from 'adminjs';
import { useDispatch, useSelector } from 'react-redux';

const SECONDS = { success: 5, info: 8, error: 15 };

function Notice({ notice, drop }) {
  const { tm, tb } = useTranslation();
  useEffect(() => {
    const timer = setTimeout(() => drop(), (SECONDS[notice.type] ?? 8) * 1000);
    return () => clearTimeout(timer);
  }, [notice.id]);
  return (
    <div className={`gt-notice gt-notice-${notice.type ?? 'info'}`} role={notice.type === 'error' ? 'alert' : 'status'}>
      <span>{tm(notice.message, notice.resourceId, notice.options)}</span>
      <button type="button" className="gt-icon-button" onClick={drop} aria-label={tb('close')}>
        ✕
      </button>
    </div>
  );
}

/** What just happened; errors stay longer and are spoken at once. */
export default function NoticeBox() {
  const notices = useSelector((state) => state.notices);
  const dispatch = useDispatch();
  return (
    <div className="gt-notices" aria-live="polite">
      {notices.map((notice) => (
        <Notice
          key={notice.id}
          notice={notice}
          drop={() => dispatch({ type: 'DROP_NOTICE', data: { noticeId: notice.id } })}
        />
      ))}
    </div>
  );
}
