import { useEffect, useRef } from 'react';
import { useTranslation, type ReduxState } from 'adminjs';
import { useDispatch, useSelector } from 'react-redux';

type Notice = ReduxState['notices'][number];

const SECONDS: Partial<Record<string, number>> = { success: 5, info: 8, error: 15 };

function NoticeLine({ notice, drop }: { readonly notice: Notice; readonly drop: () => void }) {
  const { tm, tb } = useTranslation();
  useEffect(() => {
    const timer = setTimeout(() => drop(), (SECONDS[notice.type ?? ''] ?? 8) * 1000);
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

/** Notices about results of actions. Errors stay longer, and screen readers announce them at once. */
export default function NoticeBox() {
  const notices = useSelector((state: ReduxState) => state.notices);
  const dispatch = useDispatch();
  const latest = useRef<string>();
  const errors = notices.filter(({ type }) => type === 'error');
  const dropErrors = (): void => {
    for (const { id } of errors) dispatch({ type: 'DROP_NOTICE', data: { noticeId: id } });
  };
  // Removes old errors after a success, and when a form is sent again.
  useEffect(() => {
    const last = notices.at(-1);
    const isNew = last?.id !== latest.current;
    latest.current = last?.id;
    if (isNew && last?.type === 'success') dropErrors();
    window.addEventListener('submit', dropErrors, true);
    return () => window.removeEventListener('submit', dropErrors, true);
  }, [notices]);
  return (
    <div className="gt-notices" aria-live="polite">
      {notices.map((notice) => (
        <NoticeLine key={notice.id} notice={notice} drop={() => dispatch({ type: 'DROP_NOTICE', data: { noticeId: notice.id } })} />
      ))}
    </div>
  );
}
