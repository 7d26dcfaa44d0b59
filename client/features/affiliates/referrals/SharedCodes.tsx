import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { REFERRAL_PARAMETERS } from '../../../../contract/constants.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { CopyField } from '../../../ui/CopyField.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { type SharedCode, sharedCodesQuery, useLeaveCode } from './api.ts'
import styles from './referrals.module.css'
import { SharedCodeDialog } from './SharedCodeDialog.tsx'
import { sharedCodesTexts as texts } from './texts.ts'

/** The codes that a person shares with others, each with its link. */
export function SharedCodes() {
  const codes = useQuery(sharedCodesQuery)
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
      {codes.isPending && <SkeletonLines lines={3} />}
      {codes.error && !codes.data && (
        <ErrorState title={texts.failed} error={codes.error} onRetry={() => void codes.refetch()} />
      )}
      {codes.data && codes.data.length > 0 && (
        <ul className={styles.codes} aria-label={texts.title}>
          {codes.data.map((code) => (
            <Code key={code._id} code={code} />
          ))}
        </ul>
      )}
      <SharedCodeDialog code={null} opened={isCreating} onClose={() => setCreating(false)} />
    </Section>
  )
}

function Code({ code }: { code: SharedCode }) {
  const { _id: ownId } = useCurrentUser()
  const [open, setOpen] = useState<'edit' | 'leave' | null>(null)
  const leave = useLeaveCode(ownId)
  const { title, referralCode, participants, lastUpdateBy, lastUpdateAt, signUps } = code
  const [manager] = participants
  const isManager = manager?._id === ownId
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
          {participants.length > 1 && (
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
      <p className={styles.people}>{participants.map(({ username }) => username).join(', ')}</p>
      <CopyField label={texts.link(title)} value={link} />
      <p className={styles.quiet}>
        {[
          isManager ? texts.youManage : texts.manages(manager?.username ?? ''),
          texts.signUps(signUps),
          texts.lastUpdate(lastUpdateBy.username, formatDate(lastUpdateAt)),
        ].join(' · ')}
      </p>
      <SharedCodeDialog code={code} opened={open === 'edit'} onClose={close} />
      <ConfirmDialog
        opened={open === 'leave'}
        onClose={close}
        title={texts.leaveTitle(title)}
        confirmLabel={texts.leave}
        destructive
        onConfirm={async () => {
          await leave.mutateAsync(code)
          toast.success(texts.left)
        }}
      >
        {isManager ? texts.leaveManager : texts.leaveText}
      </ConfirmDialog>
    </li>
  )
}
