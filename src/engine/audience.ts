/** Everyone who is told what is durable: projections first, so that a listener reads them in step with what it is told. */
import type { Commit } from '../events/commit.ts'
import { type DurableLog, Followers } from './following.ts'
import type { Notify } from './notices.ts'
import type { Projections } from './projections.ts'
import { Subscriptions } from './subscriptions.ts'

export class Audience {
  readonly projections: Projections
  readonly subscriptions: Subscriptions
  readonly followers: Followers

  constructor(log: DurableLog, projections: Projections, notify: Notify) {
    this.projections = projections
    this.subscriptions = new Subscriptions(notify)
    this.followers = new Followers(log)
  }

  /** Whether somebody is told of ticks one by one. */
  get wantsTicks(): boolean {
    return !this.subscriptions.isEmpty || this.projections.wantTicks
  }

  /** A commit is durable; subscribers hear of it with {@link deliver}. */
  tell(commit: Commit): void {
    this.projections.tell(commit)
    this.subscriptions.publish(commit)
    this.followers.tell(commit)
  }

  deliver(): void {
    this.subscriptions.deliver()
  }
}
