import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { ownOffersQuery } from '../offers/api.ts'
import { headlineOf } from '../offers/describe.ts'
import { insertTexts as texts } from '../offers/texts.ts'
import styles from './OffersDialog.module.css'

type OffersDialogProps = { opened: boolean; onClose: () => void; onInsert: (link: string) => void }

/** The creator’s offers that hold, each to be put into a message by its link. */
export function OffersDialog({ opened, onClose, onInsert }: OffersDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      <Offers onInsert={onInsert} />
    </Dialog>
  )
}

function Offers({ onInsert }: Pick<OffersDialogProps, 'onInsert'>) {
  const { username } = useCurrentUser()
  const list = useList(ownOffersQuery)
  const active = list.items.filter(({ status }) => status === 'active')
  const none = (
    <div className={styles.dialog}>
      <p className={styles.quiet}>{texts.none}</p>
      <div>
        <LinkButton to={paths.offers} variant="default">
          {texts.create}
        </LinkButton>
      </div>
    </div>
  )
  return (
    <GrowingList
      list={list}
      failed={texts.failed}
      waiting={<SkeletonLines lines={3} />}
      empty={none}
      byButton
    >
      {active.length === 0 && none}
      <ul className={styles.rows}>
        {active.map((offer) => {
          const name = headlineOf(offer)
          return (
            <li key={offer._id} className={styles.row}>
              <p className={styles.name}>{name}</p>
              <Button
                variant="default"
                aria-label={texts.insertOf(name)}
                onClick={() => onInsert(`${window.location.origin}${paths.offer(username, offer._id)}`)}
              >
                {texts.insert}
              </Button>
            </li>
          )
        })}
      </ul>
    </GrowingList>
  )
}
