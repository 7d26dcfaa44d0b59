import { Button } from '@mantine/core'
import { useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { Card } from '../../../ui/Card.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Section } from '../../../ui/Page.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { toast } from '../../../ui/toast.ts'
import { type PersonAge, useDecideAge, usePersonAge } from './api.ts'
import styles from './regions.module.css'

/** Approving somebody's age by hand: find the person, see what is known, decide with a reason. */
export function AgeApproval() {
  const [person, setPerson] = useState('')
  const search = usePersonAge()
  return (
    <Section title="Approve somebody’s age">
      <Card>
        <div className={styles.approval}>
          <Form onSubmit={() => search.mutate(person)}>
            <TextField
              label="Username or email"
              description="For somebody who proved their age elsewhere, for example as a creator on another platform."
              value={person}
              onChange={setPerson}
              required
            />
            <FormError>{search.error ? errorMessage(search.error) : null}</FormError>
            <Button type="submit" variant="default" loading={search.isPending}>
              Find
            </Button>
          </Form>
          {search.data && (
            <Decision
              key={search.data.userId}
              person={search.data}
              onDecided={() => search.mutate(search.data.username)}
            />
          )}
        </div>
      </Card>
    </Section>
  )
}

function Decision({ person, onDecided }: { person: PersonAge; onDecided: () => void }) {
  const [reason, setReason] = useState('')
  const decide = useDecideAge()
  const isApproved = person.approved !== null || person.verifications.length > 0
  const submit = () =>
    decide.mutate(
      { approve: !isApproved, userId: person.userId, reason },
      {
        onSuccess: () => {
          toast.success(isApproved ? 'The approval was taken back.' : `${person.username} is approved.`)
          setReason('')
          onDecided()
        },
      },
    )
  return (
    <Form onSubmit={submit}>
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
      <TextField
        label="Reason"
        description="Kept in the audit log."
        value={reason}
        onChange={setReason}
        error={decide.error ? errorMessage(decide.error) : undefined}
        required
      />
      <Button
        type="submit"
        loading={decide.isPending}
        {...(isApproved ? { color: 'red', variant: 'outline' } : {})}
      >
        {isApproved ? 'Take back every approval' : `Approve ${person.username}`}
      </Button>
    </Form>
  )
}
