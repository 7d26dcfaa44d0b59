import { ageRoutes } from '../../../../contract/routes/compliance/age.ts'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { Section } from '../../../ui/Page.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { toast } from '../../../ui/toast.ts'
import { type PersonAge, useDecideAge } from './api.ts'
import styles from './regions.module.css'
import { texts } from './texts.ts'

const words = texts.approval

/** Approving somebody's age by hand: find the person, see what is known, decide with a reason. */
export function AgeApproval() {
  const search = useContractForm(ageRoutes.personAge, { initial: { person: '' }, lost: null })
  return (
    <Section title={words.title}>
      <Card>
        <div className={styles.approval}>
          <ContractForm form={search}>
            <TextField
              label={words.person}
              description={words.personHint}
              required
              {...search.field('person')}
            />
            <FormError>{search.error}</FormError>
            <div>
              <Button type="submit" variant="default" loading={search.pending}>
                {words.find}
              </Button>
            </div>
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
      toast.success(isApproved ? words.revoked : words.approvedNow(person.username))
      onDecided()
    },
    lost: null,
  })
  return (
    <ContractForm form={form}>
      <div>
        <p className={styles.name}>
          {person.username}{' '}
          <Tag tone={isApproved ? 'good' : 'neutral'}>{isApproved ? words.approved : words.notApproved}</Tag>
        </p>
        <p className={styles.change}>{person.email}</p>
        <ul className={styles.known}>
          {person.approved && (
            <li>
              {words.byOperator(person.approved.by, formatDate(person.approved.at), person.approved.reason)}
            </li>
          )}
          {person.verifications.map(({ provider, method, decidedAt, expiresAt }) => (
            <li key={decidedAt}>
              {words.byProvider(provider, method, formatDate(decidedAt), formatDate(expiresAt))}
            </li>
          ))}
        </ul>
      </div>
      <TextField label={words.reason} description={words.reasonHint} required {...form.field('reason')} />
      <FormError>{form.error}</FormError>
      <div>
        <Button
          type="submit"
          loading={form.pending}
          {...(isApproved ? { color: 'red', variant: 'outline' } : {})}
        >
          {isApproved ? words.revoke : words.approve(person.username)}
        </Button>
      </div>
    </ContractForm>
  )
}
