import { Link } from 'react-router'
import { MarkAll } from '../../list/MarkAll.tsx'
import { NotificationList } from '../../list/NotificationList.tsx'
import { notificationTexts as texts } from '../../texts.ts'
import { NOTIFICATIONS_PATH, SETTINGS_PATH } from './Bell.tsx'
import styles from './Panel.module.css'

/** The newest notifications, below the bell of a wide window. */
export default function Panel({ onClose }: { onClose: () => void }) {
  return (
    <>
      <header className={styles.header}>
        <h2 className={styles.title}>{texts.title}</h2>
        <MarkAll />
      </header>
      <div className={styles.list}>
        <NotificationList onOpen={onClose} />
      </div>
      <footer className={styles.footer}>
        <Link to={NOTIFICATIONS_PATH} className={styles.link} onClick={onClose}>
          {texts.all}
        </Link>
        <Link to={SETTINGS_PATH} className={styles.link} onClick={onClose}>
          {texts.settings}
        </Link>
      </footer>
    </>
  )
}
