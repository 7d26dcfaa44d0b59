import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { subredditAffiliateRoutes } from '../../../../contract/routes/commerce/subreddit-affiliates.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { formatDate, formatNumber } from '../../../ui/format.ts'
import { readNumber } from '../../../ui/format-occasional.ts'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Money } from '../../../ui/Money.tsx'
import { Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag, type Tone } from '../../../ui/Tag.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Subreddit, subredditsQuery } from './api.ts'
import styles from './referrals.module.css'
import { subredditsTexts as texts } from './texts.ts'

const TONES: Record<Subreddit['status'], Tone> = { applied: 'neutral', approved: 'good', refused: 'bad' }

/** The subreddits that a person referred to the subreddit program, and the way to refer another. */
export function Subreddits() {
  const list = useList(subredditsQuery)
  const [isApplying, setApplying] = useState(false)
  return (
    <Section
      title={texts.title}
      action={
        <Button
          size="sm"
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setApplying(true)}
        >
          {texts.apply}
        </Button>
      }
    >
      <p className={styles.lead}>{texts.lead}</p>
      <GrowingList
        list={list}
        failed={texts.failed}
        waiting={<SkeletonLines lines={3} />}
        empty={null}
        byButton
      >
        <ul className={styles.rows} aria-label={texts.title}>
          {list.items.map((subreddit) => (
            <Row key={subreddit._id} subreddit={subreddit} />
          ))}
        </ul>
      </GrowingList>
      <Dialog opened={isApplying} onClose={() => setApplying(false)} title={texts.apply}>
        <ApplyForm onSent={() => setApplying(false)} />
      </Dialog>
    </Section>
  )
}

function Row({ subreddit }: { subreddit: Subreddit }) {
  const {
    subreddit: name,
    status,
    subscribers,
    amount,
    canceled,
    restrictions,
    reason,
    appliedAt,
  } = subreddit
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p>r/{name}</p>
        <p className={styles.quiet}>
          {[formatDate(appliedAt), texts.subscribers(formatNumber(subscribers)), reason ?? restrictions]
            .filter(Boolean)
            .join('\u00a0· ')}
        </p>
      </div>
      <div className={styles.outcome}>
        <Tag tone={canceled ? 'bad' : TONES[status]}>{canceled ? texts.canceled : texts.status[status]}</Tag>
        {amount !== null && !canceled && (
          <p>
            <Money cents value={amount} look="earned" />
          </p>
        )}
      </div>
    </li>
  )
}

function ApplyForm({ onSent }: { onSent: () => void }) {
  const form = useContractForm(subredditAffiliateRoutes.applyForSubreddit, {
    initial: { subreddit: '', subscribers: '' },
    body: ({ subreddit, subscribers }) => ({
      subreddit,
      subscribers: readNumber(subscribers),
    }),
    onSuccess: () => {
      toast.success(texts.applied)
      onSent()
    },
    meta: { invalidates: [subredditsQuery.queryKey] },
    lost: null,
  })
  return (
    <ContractForm form={form} label={texts.send}>
      <p className={styles.quiet}>{texts.about}</p>
      <TextField label={texts.name} prefix="r/" autoComplete="off" required {...form.field('subreddit')} />
      <TextField
        label={texts.count}
        inputMode="numeric"
        autoComplete="off"
        required
        {...form.field('subscribers')}
      />
      <FormError>{form.error}</FormError>
      <Button type="submit" loading={form.pending}>
        {texts.send}
      </Button>
    </ContractForm>
  )
}
