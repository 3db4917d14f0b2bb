// The health of requests. The stream has its own connection: a live stream says nothing about requests.

class Health {
  /** True if the last finished request got no answer in time. */
  busy = $state(false);
}

export const health = new Health();
