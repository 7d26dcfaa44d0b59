import { useNavigate } from 'react-router'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { PeopleField } from '../../profiles/parts/people/PeopleField.tsx'
import styles from './record.module.css'
import { recordTexts as texts } from './texts.ts'

const focusField = (box: HTMLElement | null) => box?.querySelector('input')?.focus()

/** For operators: leads to somebody else’s record in this subreddit. */
export function OthersRecord({ name }: { name: string }) {
  const navigate = useNavigate()
  return (
    <div className={styles.whose} ref={focusField}>
      <PeopleField
        legend={texts.whose}
        value={[]}
        onChange={([person]) => person && void navigate(promotionPaths.verification(name, person._id))}
        error={undefined}
        nobody={texts.nobody}
      />
    </div>
  )
}
