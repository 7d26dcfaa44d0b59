import { ageRoutes } from '../../../../contract/routes/compliance/age.ts'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { formatDate } from '../../../ui/format.ts'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { Section } from '../../../ui/Page.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { toast } from '../../../ui/toast.ts'
import { type PersonAge, useDecideAge } from './api.ts'
import styles from './regions.module.css'

/** Approving somebody's age by hand: find the person, see what is known, decide with a reason. */
export function AgeApproval() {
  const search = useContractForm(ageRoutes.personAge, { initial: { person: '' }, lost: null })
  return (
    <Section title="Approve somebody’s age">
      <Card>
        <div className={styles.approval}>
          <ContractForm form={search}>
            <TextField
              label="Username or email"
              description="For somebody who proved their age elsewhere, for example as a creator on another platform."
              required
              {...search.field('person')}
            />
            <FormError>{search.error}</FormError>
            <Button type="submit" variant="default" loading={search.pending}>
              Find
            </Button>
          </ContractForm>
          {search.answer && (
            <Decision key={search.answer.userId} person={search.answer} onDecided={search.submit} />
          )}
        </div>
      </Card>
    </Section>
  )
}

function Decision({ person, onDecided }: { person: PersonAge; onDecided: () => void }) {
  const decide = useDecideAge()
  const isApproved = person.approved !== null || person.verifications.length > 0
  const form = useContractForm(isApproved ? ageRoutes.revokeAge : ageRoutes.approveAge, {
    initial: { reason: '' },
    send: (_body, { reason }) => decide.mutateAsync({ approve: !isApproved, userId: person.userId, reason }),
    onSuccess: () => {
      toast.success(isApproved ? 'The approval was taken back.' : `${person.username} is approved.`)
      onDecided()
    },
    lost: null,
  })
  return (
    <ContractForm form={form}>
      <div>
        <p className={styles.name}>
          {person.username}{' '}
          <Tag tone={isApproved ? 'good' : 'neutral'}>{isApproved ? 'Approved' : 'Not approved'}</Tag>
        </p>
        <p className={styles.change}>{person.email}</p>
        <ul className={styles.known}>
          {person.approved && (
            <li>
              By {person.approved.by ?? 'the operator'}, {formatDate(person.approved.at)}:{' '}
              {person.approved.reason}
            </li>
          )}
          {person.verifications.map(({ provider, method, decidedAt, expiresAt }) => (
            <li key={decidedAt}>
              By {provider} ({method}), {formatDate(decidedAt)}, until {formatDate(expiresAt)}
            </li>
          ))}
        </ul>
      </div>
      <TextField label="Reason" description="Kept in the audit log." required {...form.field('reason')} />
      <FormError>{form.error}</FormError>
      <Button
        type="submit"
        loading={form.pending}
        {...(isApproved ? { color: 'red', variant: 'outline' } : {})}
      >
        {isApproved ? 'Take back every approval' : `Approve ${person.username}`}
      </Button>
    </ContractForm>
  )
}
