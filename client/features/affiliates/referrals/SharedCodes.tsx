import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { REFERRAL_PARAMETERS } from '../../../../contract/constants.ts'
import { errorMessage } from '../../../lib/api.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { CopyField } from '../../../ui/CopyField.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { formatDate } from '../../../ui/format.ts'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { type SharedCode, sharedCodesQuery, useAcceptCode, useLeaveCode } from './api.ts'
import styles from './referrals.module.css'
import { SharedCodeDialog } from './SharedCodeDialog.tsx'
import { sharedCodesTexts as texts } from './texts.ts'

/** The codes that a person shares with others, each with its link; invitations to others before them. */
export function SharedCodes() {
  const invitations = useList(sharedCodesQuery('invitations'))
  const codes = useList(sharedCodesQuery('own'))
  const [isCreating, setCreating] = useState(false)
  return (
    <Section
      title={texts.title}
      action={
        <Button
          size="sm"
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setCreating(true)}
        >
          {texts.create}
        </Button>
      }
    >
      <p className={styles.quiet}>{texts.lead}</p>
      <GrowingList list={invitations} failed={texts.invitationsFailed} waiting={null} empty={null} byButton>
        <ul className={styles.codes} aria-label={texts.invitations}>
          {invitations.items.map((code) => (
            <Invitation key={code._id} code={code} />
          ))}
        </ul>
      </GrowingList>
      <GrowingList
        list={codes}
        failed={texts.failed}
        waiting={<SkeletonLines lines={3} />}
        empty={null}
        byButton
      >
        <ul className={styles.codes} aria-label={texts.title}>
          {codes.items.map((code) => (
            <Code key={code._id} code={code} />
          ))}
        </ul>
      </GrowingList>
      <SharedCodeDialog code={null} opened={isCreating} onClose={() => setCreating(false)} />
    </Section>
  )
}

/** The members of a code, as far as the viewer may see them. */
function People({ code: { participants, others } }: { code: SharedCode }) {
  const names = participants.map(({ username, accepted }) => (accepted ? username : texts.invited(username)))
  return (
    <p className={styles.people}>{[...names, ...(others > 0 ? [texts.others(others)] : [])].join(', ')}</p>
  )
}

function Invitation({ code }: { code: SharedCode }) {
  const accept = useAcceptCode()
  const decline = useLeaveCode()
  const { _id, title } = code
  const answer = (call: typeof accept, done: string) =>
    call.mutate(_id, {
      onSuccess: () => toast.success(done),
      onError: (error) => toast.failure(errorMessage(error)),
    })
  return (
    <li className={styles.code}>
      <div className={styles.head}>
        <h3 className={styles.name}>{texts.invitation(title)}</h3>
        <div className={styles.bar}>
          <Button
            size="sm"
            aria-label={texts.acceptOf(title)}
            loading={accept.isPending}
            onClick={() => answer(accept, texts.accepted)}
          >
            {texts.accept}
          </Button>
          <Button
            size="sm"
            variant="default"
            aria-label={texts.declineOf(title)}
            loading={decline.isPending}
            onClick={() => answer(decline, texts.declined)}
          >
            {texts.decline}
          </Button>
        </div>
      </div>
      <People code={code} />
    </li>
  )
}

function Code({ code }: { code: SharedCode }) {
  const [open, setOpen] = useState<'edit' | 'leave' | null>(null)
  const leave = useLeaveCode()
  const { _id, title, referralCode, participants, others, manages: isManager } = code
  const { lastUpdateBy, lastUpdateAt, signUps } = code
  const link = `${location.origin}/?${REFERRAL_PARAMETERS.shared}=${referralCode}`
  const close = () => setOpen(null)
  return (
    <li className={styles.code}>
      <div className={styles.head}>
        <h3 className={styles.name}>{title}</h3>
        <div className={styles.bar}>
          {isManager && (
            <Button
              size="sm"
              variant="default"
              aria-label={texts.editOf(title)}
              onClick={() => setOpen('edit')}
            >
              {texts.edit}
            </Button>
          )}
          {participants.length + others > 1 && (
            <Button
              size="sm"
              variant="subtle"
              aria-label={texts.leaveOf(title)}
              onClick={() => setOpen('leave')}
            >
              {texts.leave}
            </Button>
          )}
        </div>
      </div>
      <People code={code} />
      <CopyField label={texts.link(title)} value={link} />
      <p className={styles.quiet}>
        {[
          isManager && texts.youManage,
          texts.signUps(signUps),
          texts.lastUpdate(lastUpdateBy?.username ?? null, formatDate(lastUpdateAt)),
        ]
          .filter(Boolean)
          .join('\u00a0· ')}
      </p>
      <SharedCodeDialog code={code} opened={open === 'edit'} onClose={close} />
      <ConfirmDialog
        opened={open === 'leave'}
        onClose={close}
        title={texts.leaveTitle(title)}
        confirmLabel={texts.leave}
        destructive
        onConfirm={async () => {
          await leave.mutateAsync(_id)
          toast.success(texts.left)
        }}
      >
        {isManager ? texts.leaveManager : texts.leaveText}
      </ConfirmDialog>
    </li>
  )
}
