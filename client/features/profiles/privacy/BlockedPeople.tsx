import { errorMessage } from '../../../lib/api.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { toast } from '../../../ui/toast.ts'
import { blockedQuery, type Listed, useBlock } from '../api.ts'
import { PeopleList } from '../people/PeopleList.tsx'

/** Whom the person blocked, with the way back. */
export function BlockedPeople() {
  const block = useBlock()
  const unblock = (person: Listed) =>
    block.mutate(
      { blockedId: person._id, blocked: false },
      {
        onSuccess: () => toast.success(`${person.username} is no longer blocked.`),
        onError: (error) => toast.failure(errorMessage(error)),
      },
    )
  return (
    <PeopleList
      label="Blocked people"
      query={blockedQuery}
      byButton
      empty={
        <EmptyState title="You have blocked nobody">
          Somebody you block finds you no more. You do it on their profile.
        </EmptyState>
      }
      action={(person) => (
        <Button
          variant="default"
          size="sm"
          aria-label={`Unblock ${person.username}`}
          loading={block.isPending && block.variables.blockedId === person._id}
          onClick={() => unblock(person)}
        >
          Unblock
        </Button>
      )}
    />
  )
}
