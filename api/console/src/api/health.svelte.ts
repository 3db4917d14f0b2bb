// Whether requests are answered. The stream has a connection of its own: that it lives says nothing about them.

class Health {
  /** Whether the last request that ended got no answer in its time. */
  busy = $state(false);
}

export const health = new Health();
