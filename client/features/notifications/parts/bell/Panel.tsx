import { Link } from 'react-router'
import { paths } from '../../../../lib/paths.ts'
import { MarkAll } from '../../list/MarkAll.tsx'
import { NotificationList } from '../../list/NotificationList.tsx'
import { notificationTexts as texts } from '../../texts.ts'
import styles from './Panel.module.css'
import { bellTexts } from './texts.ts'

/** The newest notifications, below the bell of a wide window. */
export default function Panel({ onClose }: { onClose: () => void }) {
  return (
    <>
      <header className={styles.header}>
        <h2 className={styles.title}>{bellTexts.title}</h2>
        <MarkAll />
      </header>
      <div className={styles.list}>
        <NotificationList heading="h3" onOpen={onClose} />
      </div>
      <footer className={styles.footer}>
        <Link to={paths.notifications} className={styles.link} onClick={onClose}>
          {texts.all}
        </Link>
        <Link to={paths.notificationSettings} className={styles.link} onClick={onClose}>
          {texts.settings}
        </Link>
      </footer>
    </>
  )
}
